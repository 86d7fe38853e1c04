import type { LinkPurpose } from '@changgu/contract/schemas';
import { write } from '../transactions/script.ts';

interface ConsentState {
  readonly stateHash: string;
  readonly organizationId: number;
  /** Kind and id of the principal; only this principal may use the state. */
  readonly createdBy: string;
  readonly provider: string;
}

/** What a consent was begun for. */
export interface BegunConsent {
  readonly purpose: LinkPurpose | null;
  /** The link whose consent is renewed; null for a new link. */
  readonly accountLinkId: string | null;
}

/** Consent flows in progress. */
export const consentStateScripts = {
  create: write(
    async (
      tx,
      input: ConsentState &
        BegunConsent & { readonly features: readonly string[]; readonly ttlSeconds: number },
    ): Promise<{ readonly expiresAt: number }> => {
      const now = await tx.now();
      const expiresAt = now + input.ttlSeconds * 1000;
      await tx.db.deleteFrom('consent_states').where('expires_at', '<=', now).execute();
      await tx.db
        .insertInto('consent_states')
        .values({
          state_hash: input.stateHash,
          organization_id: input.organizationId,
          created_by: input.createdBy,
          provider: input.provider,
          features: JSON.stringify(input.features),
          purpose: input.purpose,
          account_link_id: input.accountLinkId,
          created_at: now,
          expires_at: expiresAt,
        })
        .execute();
      return { expiresAt };
    },
  ),

  /**
   * Consumes the state. Null when there is none for this principal and provider, or it has expired;
   * `other_purpose`, without using it up, when it was begun for another purpose than the one given.
   */
  consume: write(
    async (
      tx,
      input: ConsentState & { readonly purpose: LinkPurpose | null },
    ): Promise<BegunConsent | 'other_purpose' | null> => {
      const now = await tx.now();
      const begun = await tx.db
        .selectFrom('consent_states')
        .select(['purpose', 'account_link_id as accountLinkId'])
        .where('state_hash', '=', input.stateHash)
        .where('organization_id', '=', input.organizationId)
        .where('created_by', '=', input.createdBy)
        .where('provider', '=', input.provider)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      if (begun === undefined) return null;
      const wanted = input.purpose ?? begun.purpose;
      if (begun.purpose !== null && begun.purpose !== wanted) return 'other_purpose';
      // Another request may have been faster.
      const { numDeletedRows } = await tx.db
        .deleteFrom('consent_states')
        .where('state_hash', '=', input.stateHash)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n ? begun : null;
    },
  ),
};
