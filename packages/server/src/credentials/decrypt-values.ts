import type { EncryptionKeys, FieldOpener } from '../crypto/encryption-keys.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { BindCiphertexts } from '../rules/submission/bind-ciphertexts.ts';
import { checkEncryptedFields } from '../rules/submission/encrypted-fields.ts';

export interface ReaderDependencies {
  readonly encryptionKeys: Pick<EncryptionKeys, 'ofLinks'>;
  readonly bindCiphertexts: BindCiphertexts;
}

/** Opens an organization's values, each for one field and one link or identity only. */
export interface FieldReader extends FieldOpener {
  /** Answers the first field whose ciphertext came for something else. */
  bind(fields: Readonly<Record<string, string>>): Promise<string | null>;
}

/** `target`: the link or identity that the values are for; null while it is not known. */
export function fieldReader(
  { encryptionKeys, bindCiphertexts }: ReaderDependencies,
  organizationId: number,
  target: string | null,
): FieldReader {
  return {
    ...encryptionKeys.ofLinks(organizationId),
    bind: (fields) => bindCiphertexts(organizationId, fields, target),
  };
}

/**
 * Decrypts values of a credential body, as text.
 * @throws ServiceError VALIDATION_INVALID_FIELD for anything but a ciphertext, CREDENTIAL_INVALID for one that cannot be decrypted
 */
export async function decryptTexts<Name extends string>(
  reader: FieldReader,
  values: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  return decryptAll(reader, values, (value) => reader.decrypt(value));
}

/** As `decryptTexts`, for values that are bytes. */
export async function decryptBinaries<Name extends string>(
  reader: FieldReader,
  values: Readonly<Record<Name, string>>,
): Promise<Record<Name, Uint8Array>> {
  return decryptAll(reader, values, (value) => reader.decryptBytes(value));
}

async function decryptAll<Name extends string, Value>(
  reader: FieldReader,
  values: Readonly<Record<Name, string>>,
  decrypt: (value: string) => Promise<Value>,
): Promise<Record<Name, Value>> {
  checkEncryptedFields(values, ['body']);
  const opened: Partial<Record<Name, Value>> = {};
  for (const [name, value] of Object.entries<string>(values)) {
    // The names are those of `values`.
    opened[name as Name] = await decrypt(value).catch((failure: unknown) => {
      throw notOpened(name, failure);
    });
  }
  const refused = await reader.bind(values);
  if (refused !== null) throw notDecrypted(refused);
  return opened as Record<Name, Value>;
}

function notOpened(name: string, failure: unknown): unknown {
  const expected =
    failure instanceof ServiceError && failure.code === 'ENCRYPTED_FIELD_DECRYPT_FAILED';
  if (!expected) return failure;
  return notDecrypted(name);
}

/** What cannot be opened and what may not be: the caller learns no difference. */
export function notDecrypted(name: string): ServiceError {
  return new ServiceError('CREDENTIAL_INVALID', {
    message: {
      ko: `${name} 값을 복호화할 수 없습니다. 현재 공개키로 다시 암호화하십시오.`,
      en: `${name} cannot be decrypted. Encrypt it again with the current public key.`,
    },
  });
}
