import type { Secrets } from '../encryption/encrypt-fields.ts';
import { encryptedValues } from '../encryption/encrypted-values.ts';
import { jsonText } from '../json-text.ts';
import { isString } from '../shape.ts';
import { checkToken, type TokenFacts, type TokenHome } from './stored-token.ts';
import { keyOf, providerOf } from './submission-key.ts';
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
  const idempotencyKey = keyOf(request.idempotencyKey);
  const body = {
    provider: request.provider ?? providerOf(action),
    action,
    account_link_id: accountLinkId,
    params,
    ...(await encryptedFields(request, encrypt)),
  };
  return {
    v: 1,
    kind: 'submission',
    origin: home.baseUrl,
    envScope: home.envScope,
    action,
    idempotencyKey,
    body: jsonText(body, idempotencyKey),
    sandboxOutcome: request.sandboxOutcome ?? null,
  };
}

/** @throws TokenError when it was prepared for another service, environment or version */
export function readPrepared(value: unknown, home: TokenHome): PreparedSubmission {
  checkToken<PreparedSubmission>(
    value,
    {
      kind: 'submission',
      version: 1,
      shape: { action: isString, idempotencyKey: isString, body: isString },
    },
    home,
  );
  return value;
}

export function isPrepared<A extends string>(value: object): value is PreparedSubmission<A> {
  return 'kind' in value && value.kind === 'submission';
}

async function encryptedFields(
  request: { readonly secrets?: object | undefined; readonly encryptedFields?: object | undefined },
  encrypt: EncryptSecrets,
): Promise<{ encrypted_fields?: Record<string, unknown> }> {
  const fields = await encryptedValues(encrypt, request.secrets, request.encryptedFields);
  return Object.keys(fields).length > 0 ? { encrypted_fields: fields } : {};
}
