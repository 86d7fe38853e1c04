import type { Vault } from '../crypto/vault.ts';
import { bankAccountPlace, linkCredentialPlace } from '../store/schema/sealed-places.ts';

/** What is stored for a link, sealed. A certificate's password is not part of it: the key is stored opened. */
export type StoredCredential =
  | {
      readonly type: 'certificate';
      /** DER, base64. */
      readonly certificate: string;
      /** PKCS#8 DER, base64. */
      readonly privateKey: string;
      /** The 20 bytes R of the virtual id, base64. */
      readonly randomVid: string | null;
    }
  | { readonly type: 'id_password'; readonly loginId: string; readonly loginPassword: string }
  | { readonly type: 'consent'; readonly authorization: Readonly<Record<string, unknown>> };

export interface StoredBankAccount {
  /** Digits only. */
  readonly accountNumber: string;
  readonly accountPassword: string;
}

type Sealer = Pick<Vault, 'seal'>;
type Opener = Pick<Vault, 'open'>;

export async function sealCredential(
  vault: Sealer,
  organizationId: number,
  accountLinkId: string,
  credential: StoredCredential,
): Promise<Uint8Array> {
  return vault.seal(
    String(organizationId),
    linkCredentialPlace(accountLinkId),
    toBytes(credential),
  );
}

/** @throws SealError when it is of another link or organization, or was changed */
export async function openCredential(
  vault: Opener,
  organizationId: number,
  accountLinkId: string,
  sealed: Uint8Array,
): Promise<StoredCredential> {
  const bytes = await vault.open(
    String(organizationId),
    linkCredentialPlace(accountLinkId),
    sealed,
  );
  return JSON.parse(Buffer.from(bytes).toString());
}

export async function sealBankAccount(
  vault: Sealer,
  organizationId: number,
  bankAccountCredentialId: string,
  account: StoredBankAccount,
): Promise<Uint8Array> {
  const place = bankAccountPlace(bankAccountCredentialId);
  return vault.seal(String(organizationId), place, toBytes(account));
}

/** @throws SealError when it is of another account or organization, or was changed */
export async function openBankAccount(
  vault: Opener,
  organizationId: number,
  bankAccountCredentialId: string,
  sealed: Uint8Array,
): Promise<StoredBankAccount> {
  const place = bankAccountPlace(bankAccountCredentialId);
  const bytes = await vault.open(String(organizationId), place, sealed);
  return JSON.parse(Buffer.from(bytes).toString());
}

function toBytes(value: StoredCredential | StoredBankAccount): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
