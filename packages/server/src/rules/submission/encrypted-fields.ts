import { LIMITS } from '@changgu/contract';
import { type FieldViolation, invalidShape, invalidValue } from '../service-error.ts';

/** Standard alphabet only, because Node's decoder accepts anything. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The checks of encrypted values that need no key. Decryption checks that the length is a multiple of RSA
 * blocks.
 * @param at the location of the values in the request
 * @throws ServiceError 400 for invalid or too short Base64, 422 for values that are too long
 */
export function checkEncryptedFields(
  fields: Readonly<Record<string, string>>,
  at: readonly string[] = ['body', 'encrypted_fields'],
): void {
  const malformed: FieldViolation[] = [];
  const tooLong: FieldViolation[] = [];
  let pieces = 0;
  for (const [name, value] of Object.entries(fields)) {
    const loc = [...at, name];
    if (value.length > LIMITS.encryptedValueMaxLength) {
      const msg = `String should have at most ${LIMITS.encryptedValueMaxLength} characters`;
      tooLong.push({ loc, msg, type: 'string_too_long' });
    } else if (!BASE64.test(value)) {
      malformed.push({ loc, msg: 'Value should be base64', type: 'value_error' });
    } else if (value.length < LIMITS.encryptedValueMinLength) {
      const msg = `String should have at least ${LIMITS.encryptedValueMinLength} characters`;
      malformed.push({ loc, msg, type: 'string_too_short' });
    }
    pieces += Math.ceil(Buffer.byteLength(value, 'base64') / LIMITS.rsaCipherBytes);
  }
  if (tooLong.length > 0) throw invalidShape(tooLong);
  if (malformed.length > 0) throw invalidValue(malformed);
  if (pieces > LIMITS.rsaPiecesPerRequest) {
    const msg = `All values together should have at most ${LIMITS.rsaPiecesPerRequest} RSA pieces`;
    throw invalidShape([{ loc: at, msg, type: 'too_long' }]);
  }
}

/** What a job's ciphertexts are bound to. */
export function ciphertextTarget(accountLinkId: string | null): string {
  return accountLinkId ?? 'none';
}

/** Top-level names that params also contain: the job fails when it runs. */
export function duplicateNames(
  params: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, string>>,
): string[] {
  return Object.keys(fields).filter((name) => Object.hasOwn(params, name));
}
