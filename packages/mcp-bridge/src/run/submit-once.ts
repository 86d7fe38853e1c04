import { isChangguError, type JobHandle, type PreparedSubmission } from '@changgu/sdk';
import { ERRORS, isErrorCode } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import type { ServiceCall } from './service-call.ts';
import type { CallIdentity } from './submission-keys.ts';

/** For one request, including retries and pauses: the caller must learn of the job before its host gives up. */
const SUBMIT_LIMIT_MS = 20_000;
/** Leaves time for another attempt under the same key. */
const ATTEMPT_LIMIT_MS = 8_000;

export function identityOf({ keys }: Pick<Bridge, 'keys'>, call: ServiceCall): CallIdentity {
  const { action, params, accountLinkId, allAccounts, bankAccountIds, requestId } = call;
  const identity = {
    action: action.id,
    request: { params, account_link_id: accountLinkId ?? null },
    requestId,
    irreversible: action.irreversible,
  };
  if (!allAccounts) return identity;
  const several = { ...identity, accounts: bankAccountIds ?? ('all' as const) };
  // Named, so that the call for the remaining accounts is part of this one.
  return { ...several, requestId: requestId ?? `auto-${keys.keyFor(several)}` };
}

/**
 * The request as sent before, or a new one that was not sent yet.
 * @throws SecretUnavailableError, and what the SDK's prepare throws
 */
export async function prepareCall(bridge: Bridge, call: ServiceCall): Promise<PreparedSubmission> {
  const identity = identityOf(bridge, call);
  const { client, keys } = bridge;
  return (
    keys.sentBefore(identity) ??
    client.jobs.prepare({
      action: call.action.id,
      params: call.params,
      accountLinkId: call.agreedLinkId ?? call.accountLinkId,
      secrets: await secretsFor(bridge, call),
      idempotencyKey: keys.keyFor(identity),
    })
  );
}

/**
 * Submits, or finds the job of an earlier attempt of the same call.
 * @throws what the SDK's submit throws; SecretUnavailableError
 */
export async function submitOnce(
  bridge: Bridge,
  call: ServiceCall,
  signal: AbortSignal,
): Promise<JobHandle> {
  const identity = identityOf(bridge, call);
  const prepared = await prepareCall(bridge, call);
  bridge.keys.rememberSent(identity, prepared);
  const limits = { attemptTimeoutMs: ATTEMPT_LIMIT_MS, totalTimeoutMs: SUBMIT_LIMIT_MS };
  try {
    const handle = await bridge.client.jobs.submit(prepared, { signal, ...limits });
    bridge.keys.rememberJob(identity, handle.id);
    return handle;
  } catch (error) {
    if (tookNothing(error)) bridge.keys.rememberRefusal(identity);
    throw error;
  }
}

/** Whether the service itself says that it accepted no job; what a proxy writes, and silence, say nothing. */
function tookNothing(error: unknown): boolean {
  if (!isChangguError(error) || !isErrorCode(error.code)) return false;
  const { status } = ERRORS[error.code];
  return (status !== null && status < 500) || error.code === 'SERVICE_UNAVAILABLE';
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
