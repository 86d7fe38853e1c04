import type { ConsentRecord, ConsentRequest } from '@changgu/contract/schemas';
import { kstTime } from '../rules/kst.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import type { Store } from '../store/database.ts';

/** Adds a consent record; while a required one is revoked, no job is accepted. */
export async function recordConsent(
  { consents }: Pick<Store, 'consents'>,
  principal: ConsolePrincipal,
  request: ConsentRequest,
  origin: RequestOrigin,
): Promise<ConsentRecord> {
  const { id, at } = await consents.record({
    organizationId: principal.organizationId,
    userId: principal.userId,
    consentType: request.consent_type,
    action: request.action,
    actor: actorOf(principal, origin),
  });
  return {
    consent_id: id,
    consent_type: request.consent_type,
    action: request.action,
    recorded_at: kstTime(at),
  };
}
