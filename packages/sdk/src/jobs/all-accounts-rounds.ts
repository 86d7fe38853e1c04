import type { AllAccountsResponse } from '@changgu/contract';
import type { RequestOptions } from '../client-options.ts';
import { InvalidResponseError } from '../errors/transport-errors.ts';
import type { Answer } from '../request/core.ts';
import { sleep } from '../request/sleep.ts';
import { type Camelized, camelize } from '../wire-case.ts';
import type { ActionId, ActionParams } from './action-types.ts';
import type { AllAccountsCheckpoint } from './checkpoint.ts';
import type { JobsApi } from './jobs-api.ts';
import { checkKey, providerOf } from './prepared.ts';
import type { TokenHome } from './stored-token.ts';

/** One action on many bank accounts. */
export interface AllAccountsRequest<A extends ActionId = string> {
  readonly action: A;
  /** Institution id. @default the first segment of the action */
  readonly provider?: string | undefined;
  /** Only this link. @default all links of the bank */
  readonly accountLinkId?: string | undefined;
  /** Only these accounts. @default all */
  readonly bankAccountCredentialIds?: readonly string[] | undefined;
  readonly params?: Omit<ActionParams<A>, 'bank_account_credential_id'> | undefined;
  /** Keys of all rounds derive from it: the same batch key never queries an account twice. @default a UUID v4 */
  readonly batchKey?: string | undefined;
}

export interface RoundsOptions extends RequestOptions {
  /** Told, and awaited, before each request and before the sleep that precedes it: store it to resume here. */
  readonly onCheckpoint?: ((checkpoint: AllAccountsCheckpoint) => void | Promise<void>) | undefined;
}

/** One answered round. */
export interface AllAccountsRound extends Camelized<AllAccountsResponse> {
  /** 1 for the first. */
  round: number;
  /** Where to go on after this round; null when nothing remains. */
  checkpoint: AllAccountsCheckpoint | null;
}

/** An interruption that passes by itself; after another one the cause must be fixed first (spec "All-accounts rules" 8). */
const PASSING_INTERRUPTIONS: ReadonlySet<string> = new Set(['RATE_LIMITED', 'SERVICE_UNAVAILABLE']);

/** The checkpoint before the first round. */
export function firstCheckpoint(
  request: AllAccountsRequest,
  home: TokenHome,
): AllAccountsCheckpoint {
  const { action, provider, accountLinkId, params } = request;
  return {
    v: 1,
    kind: 'all-accounts',
    origin: home.baseUrl,
    envScope: home.envScope,
    batchKey: checkKey(request.batchKey ?? crypto.randomUUID()),
    round: 1,
    action,
    request: JSON.stringify({
      provider: provider ?? providerOf(action),
      action,
      ...(accountLinkId === undefined ? {} : { account_link_id: accountLinkId }),
      ...(params === undefined ? {} : { params }),
    }),
    bankAccountCredentialIds: request.bankAccountCredentialIds ?? null,
    notBefore: 0,
  };
}

/** Sends round after round, each not before its time, and yields each as answered. */
export async function* sendRounds(
  api: JobsApi,
  start: AllAccountsCheckpoint,
  options: RoundsOptions = {},
): AsyncGenerator<AllAccountsRound, void, void> {
  const { clock } = api.pollSettings();
  const { onCheckpoint, ...requestOptions } = options;
  for (let checkpoint: AllAccountsCheckpoint | null = start; checkpoint; ) {
    await onCheckpoint?.(checkpoint);
    await sleep(clock, Math.max(0, checkpoint.notBefore - clock.now()), options.signal);
    const response = readRound(await api.submitRound(checkpoint, requestOptions));
    const next = nextCheckpoint(checkpoint, response, clock.now());
    yield { ...response, round: checkpoint.round, checkpoint: next };
    if (isStopped(response)) return;
    checkpoint = next;
  }
}

/** True when the call stopped for a cause that waiting does not clear. */
export function isStopped({ interruption }: Camelized<AllAccountsResponse>): boolean {
  return interruption !== undefined && !PASSING_INTERRUPTIONS.has(interruption.code);
}

function readRound({ body, status }: Answer): Camelized<AllAccountsResponse> {
  if (!isRound(body)) throw new InvalidResponseError(status, 'it lists no accounts');
  return camelize(body);
}

function isRound(body: unknown): body is AllAccountsResponse {
  return typeof body === 'object' && body !== null && Array.isArray(Reflect.get(body, 'accounts'));
}

function nextCheckpoint(
  checkpoint: AllAccountsCheckpoint,
  { next }: Camelized<AllAccountsResponse>,
  now: number,
): AllAccountsCheckpoint | null {
  if (!next) return null;
  return {
    ...checkpoint,
    round: checkpoint.round + 1,
    bankAccountCredentialIds: next.bankAccountCredentialIds,
    notBefore: now + next.retryAfterSeconds * 1000,
  };
}
