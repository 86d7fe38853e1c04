import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { FieldOpener } from '../crypto/encryption-keys.ts';
import type { Vault } from '../crypto/vault.ts';
import { UNDECLARED_FIELD } from '../rules/jobs/own-sentences.ts';
import { invalidValue, ServiceError } from '../rules/service-error.ts';
import { ciphertextTarget } from '../rules/submission/encrypted-fields.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import { encryptedFieldsPlace } from '../store/schema/sealed-places.ts';
import type { RunDependencies } from './run-dependencies.ts';

interface FieldAccess extends Pick<RunDependencies, 'bindCiphertexts'> {
  readonly opener: Pick<FieldOpener, 'decrypt'>;
}

/**
 * Decrypts a job's encrypted fields. A field that the action does not declare fails the job before anything
 * is decrypted: echoing an undeclared field would make this a decryption oracle.
 *
 * @throws ServiceError VALIDATION_INVALID_FIELD, ENCRYPTED_FIELD_DECRYPT_FAILED
 */
export async function decryptFields(
  job: Pick<ClaimedJob, 'id' | 'organizationId' | 'encryptedFields' | 'accountLinkId'>,
  action: Pick<CatalogueAction, 'encryptedFields'>,
  vault: Pick<Vault, 'open'>,
  { opener, bindCiphertexts }: FieldAccess,
): Promise<Record<string, string>> {
  if (job.encryptedFields === null) return {};
  const place = encryptedFieldsPlace(job.id);
  const opened = await vault.open(String(job.organizationId), place, job.encryptedFields);
  const fields: Record<string, string> = JSON.parse(Buffer.from(opened).toString());
  const undeclared = Object.keys(fields).filter(
    (name) => !Object.hasOwn(action.encryptedFields, name),
  );
  if (undeclared.length > 0) {
    throw invalidValue(
      undeclared.map((name) => ({
        loc: ['body', 'encrypted_fields', name],
        msg: 'Not an encrypted field of this action',
        type: 'value_error',
      })),
      UNDECLARED_FIELD,
    );
  }
  const secrets: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) secrets[name] = await opener.decrypt(value);
  const target = ciphertextTarget(job.accountLinkId);
  const refused = await bindCiphertexts(job.organizationId, fields, target);
  if (refused !== null) throw new ServiceError('ENCRYPTED_FIELD_DECRYPT_FAILED');
  return secrets;
}
