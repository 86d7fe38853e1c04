import { signChallenge } from '../certificates/sign-challenge.ts';
import type { Vault } from '../crypto/vault.ts';
import type { CallAccount, CallLink, Credential } from '../institutions/connector.ts';
import type { BankAccountRow, LinkRow } from '../store/queue/call-rows.ts';
import type { HeldConsent, RenewConsent } from './renew-consent.ts';
import { openBankAccount, openCredential, type StoredCredential } from './stored-credential.ts';

type Opener = Pick<Vault, 'open'>;

/** Opens a link for one call of a connector. @throws SealError, Error when it has no credential any more */
export async function openCallLink(
  vault: Opener,
  organizationId: number,
  row: LinkRow,
  renewConsent: RenewConsent,
): Promise<CallLink> {
  if (row.credential === null) throw new Error(`link ${row.id} has no credential`);
  const stored = await openCredential(vault, organizationId, row.id, row.credential);
  return {
    id: row.id,
    credential:
      stored.type === 'consent'
        ? consentCredential({ ...stored, sealed: row.credential }, renewConsent)
        : toCallCredential(stored),
    ownerKind: row.ownerKind,
    businessNumber: row.businessNumber,
    selectedAssets: row.selectedAssets === null ? null : JSON.parse(row.selectedAssets),
  };
}

/** Opens a bank account for one call of a connector. @throws as `openCallLink` */
export async function openCallAccount(
  vault: Opener,
  organizationId: number,
  row: BankAccountRow,
): Promise<CallAccount> {
  if (row.credential === null) throw new Error(`bank account ${row.id} has no credential`);
  const stored = await openBankAccount(vault, organizationId, row.id, row.credential);
  return { id: row.id, ...stored, maskedAccountNumber: row.maskedAccountNumber };
}

/** A repeated attempt of the same run continues with what the previous one renewed. */
function consentCredential(
  { authorization, sealed }: HeldConsent,
  renewConsent: RenewConsent,
): Credential {
  let held: HeldConsent = { authorization, sealed };
  return {
    type: 'consent',
    get authorization() {
      return held.authorization;
    },
    async renew() {
      const renewed = await renewConsent(held);
      held = renewed ?? held;
      return renewed?.authorization ?? null;
    },
  };
}

/** A connector may sign with the key, and never sees it. */
function toCallCredential(stored: Exclude<StoredCredential, { type: 'consent' }>): Credential {
  if (stored.type === 'id_password') return stored;
  const privateKey = Buffer.from(stored.privateKey, 'base64');
  return {
    type: 'certificate',
    certificateDer: Buffer.from(stored.certificate, 'base64'),
    sign: (challenge) => signChallenge(privateKey, challenge),
    randomVid: stored.randomVid === null ? null : Buffer.from(stored.randomVid, 'base64'),
  };
}
