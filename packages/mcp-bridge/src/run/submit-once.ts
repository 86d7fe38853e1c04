import type { JobHandle } from '@changgu/sdk';
import type { Bridge } from '../bridge.ts';
import type { ServiceCall } from './service-call.ts';
import type { CallIdentity } from './submission-keys.ts';

/** Of one request, attempts and sleeps together: the caller must hear of the job before its host gives up. */
const SUBMIT_LIMIT_MS = 20_000;
/** Leaves time for another attempt under the same key. */
const ATTEMPT_LIMIT_MS = 8_000;

export function identityOf({
  action,
  params,
  accountLinkId,
  requestId,
}: ServiceCall): CallIdentity {
  return {
    action: action.id,
    request: { params, account_link_id: accountLinkId ?? null },
    requestId,
    irreversible: action.irreversible,
  };
}

/**
 * Submits, and finds the job of an earlier attempt of the same call.
 * @throws what the SDK's submit throws; SecretUnavailableError
 */
export async function submitOnce(
  bridge: Bridge,
  call: ServiceCall,
  signal: AbortSignal,
): Promise<{ handle: JobHandle; identity: CallIdentity }> {
  const identity = identityOf(call);
  const { client, keys } = bridge;
  let prepared = keys.sentBefore(identity);
  if (!prepared) {
    prepared = await client.jobs.prepare({
      action: call.action.id,
      params: call.params,
      accountLinkId: call.accountLinkId,
      secrets: await secretsFor(bridge, call),
      idempotencyKey: keys.keyFor(identity),
    });
    keys.rememberSent(identity, prepared);
  }
  const handle = await client.jobs.submit(prepared, {
    signal,
    attemptTimeoutMs: ATTEMPT_LIMIT_MS,
    totalTimeoutMs: SUBMIT_LIMIT_MS,
  });
  return { handle, identity };
}

function secretsFor(
  { secrets }: Bridge,
  { action, params }: ServiceCall,
): Promise<Record<string, string>> {
  const account = params.bank_account_credential_id;
  return secrets.read(
    action.provider,
    Object.keys(action.encryptedFields),
    typeof account === 'string' ? account : null,
  );
}
