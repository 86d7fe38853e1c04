import type { LinkStatus } from '@changgu/contract/schemas';
import { readCertificate } from '../certificates/read-certificate.ts';
import { sameText } from '../crypto/same-secret.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { StoredCredential } from './stored-credential.ts';

interface Existing {
  readonly credential: StoredCredential;
  readonly status: LinkStatus;
}

/**
 * What is stored in place of the credential of the same identity; null when that stays.
 *
 * An equal password changes nothing, whatever `confirm` says; another one needs it. The same
 * certificate may bring the random number of its virtual id later, and lifts a suspension: it may
 * have been registered at the portal meanwhile.
 * @throws ServiceError CREDENTIAL_CONFIRM_REQUIRED
 */
export function replacementFor(
  existing: Existing,
  presented: StoredCredential,
  confirm: boolean,
): StoredCredential | null {
  const stored = existing.credential;
  if (stored.type === 'id_password' && presented.type === 'id_password') {
    if (sameText(stored.loginPassword, presented.loginPassword)) return null;
    if (!confirm) throw new ServiceError('CREDENTIAL_CONFIRM_REQUIRED');
    return presented;
  }
  if (
    stored.type !== 'certificate' ||
    presented.type !== 'certificate' ||
    stored.certificate !== presented.certificate
  ) {
    return presented;
  }
  const randomVid = presented.randomVid ?? stored.randomVid;
  const stays = randomVid === stored.randomVid && existing.status !== 'SUSPENDED';
  return stays ? null : { ...presented, randomVid };
}

/** Whether two certificates were issued to the same subject. */
export function haveSameSubject(one: StoredCredential, other: StoredCredential): boolean {
  if (one.type !== 'certificate' || other.type !== 'certificate') return false;
  const subjectOf = (der: string) => readCertificate(Buffer.from(der, 'base64')).subject;
  return subjectOf(one.certificate) === subjectOf(other.certificate);
}
