import { checkCiphertexts } from '../encryption/ciphertext.ts';
import { definedOnly } from '../encryption/defined-only.ts';
import type { Secrets } from '../encryption/encrypt-fields.ts';
import { ConfigurationError } from '../errors/transport-errors.ts';
import { checkToken, type TokenFacts, type TokenHome } from './stored-token.ts';
import type { SubmitRequest } from './submit-request.ts';

/**
 * A complete submission that was not sent yet: store it, then submit it as often as necessary. It always creates a
 * single job, because key and bytes never change. Contains ciphertext, never a plain secret.
 */
export interface PreparedSubmission<A extends string = string> extends TokenFacts {
  readonly v: 1;
  readonly kind: 'submission';
  readonly action: A;
  readonly idempotencyKey: string;
  /** The exact bytes of the request body. */
  readonly body: string;
  readonly sandboxOutcome: string | null;
}

/** Encrypts for the service; the only place that receives plain secrets. */
export type EncryptSecrets = (secrets: Secrets) => Promise<Record<string, string>>;

/** Creates the key, encrypts once and fixes the bytes. */
export async function prepareSubmission<A extends string>(
  request: SubmitRequest<A>,
  home: TokenHome,
  encrypt: EncryptSecrets,
): Promise<PreparedSubmission<A>> {
  const { accountLinkId, params } = request;
  // The compiler has refused every other spelling.
  const action = request.action as A;
  return {
    v: 1,
    kind: 'submission',
    origin: home.baseUrl,
    envScope: home.envScope,
    action,
    idempotencyKey: checkKey(request.idempotencyKey ?? crypto.randomUUID()),
    body: JSON.stringify({
      provider: request.provider ?? providerOf(action),
      action,
      ...(accountLinkId === undefined ? {} : { account_link_id: accountLinkId }),
      ...(params === undefined ? {} : { params }),
      ...(await encryptedFields(request, encrypt)),
    }),
    sandboxOutcome: request.sandboxOutcome ?? null,
  };
}

/** @throws TokenError when it was prepared for another service, environment or version */
export function readPrepared(value: unknown, home: TokenHome): PreparedSubmission {
  checkToken<PreparedSubmission>(
    value,
    { kind: 'submission', version: 1, texts: ['action', 'idempotencyKey', 'body'] },
    home,
  );
  return value;
}

export function isPrepared<A extends string>(value: object): value is PreparedSubmission<A> {
  return 'kind' in value && value.kind === 'submission';
}

/** An action id begins with its provider. */
export function providerOf(action: string): string {
  const dot = action.indexOf('.');
  if (dot < 1) throw new ConfigurationError('action must be a full id, e.g. bank_b.accounts.list.');
  return action.slice(0, dot);
}

/** @throws ConfigurationError for a key that the service would refuse */
export function checkKey(key: string): string {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(key)) {
    throw new ConfigurationError('idempotencyKey must be 1 to 128 ASCII characters.');
  }
  return key;
}

async function encryptedFields(
  request: { readonly secrets?: object | undefined; readonly encryptedFields?: object | undefined },
  encrypt: EncryptSecrets,
): Promise<{ encrypted_fields?: Record<string, unknown> }> {
  const secrets = definedOnly<string | Uint8Array>(request.secrets);
  const ready = checkCiphertexts(secrets, request.encryptedFields ?? {});
  const encrypted = Object.keys(secrets).length > 0 ? await encrypt(secrets) : {};
  const fields = { ...ready, ...encrypted };
  return Object.keys(fields).length > 0 ? { encrypted_fields: fields } : {};
}
