import { X509Certificate } from 'node:crypto';
import type { Credential } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { fieldOf, readForm } from './form.ts';
import type { PortalPage } from './page.ts';
import type { Portal } from './portal.ts';

type CertificateCredential = Extract<Credential, { type: 'certificate' }>;
type PasswordCredential = Extract<Credential, { type: 'id_password' }>;

/** Field names of a portal's certificate form. */
export interface CertificateFields {
  /** Selector of the form. */
  readonly form: string;
  readonly nonce: string;
  readonly certificate: string;
  readonly signature: string;
}

/** Field names of a portal's id and password form. */
export interface PasswordFields {
  readonly form: string;
  readonly id: string;
  readonly password: string;
  /** What is sent as the password where the page encrypts it; default: the password. */
  readonly seal?: (page: PortalPage, password: string) => string;
}

/** What a portal requires besides certificate and signature, or in another form. */
export interface LoginExtras {
  /** Further fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What is sent as the signature; default: its base64. */
  readonly seal?: (nonce: string, signature: string) => string;
}

/** The end of a login that has nothing to log in with. Every failed login may be retried, here after registering one. */
export function withoutCredential(): InstitutionError {
  return new InstitutionError('CREDENTIAL_INVALID', { retryable: true });
}

/**
 * Signs the challenge of a login page with the linked certificate. `read` extracts from the next page
 * what is only there after a successful login.
 */
export async function logInByCertificate<Result>(
  portal: Portal,
  loginPage: PortalPage,
  names: CertificateFields,
  credential: CertificateCredential,
  read: (page: PortalPage) => Result,
  { fields = {}, seal = (_nonce, signature) => signature }: LoginExtras = {},
): Promise<Result> {
  const form = readForm(loginPage, names.form);
  const nonce = fieldOf(form, names.nonce);
  const signature = base64(await credential.sign(Buffer.from(nonce)));
  const signed = {
    ...fields,
    [names.certificate]: base64(credential.certificateDer),
    [names.signature]: seal(nonce, signature),
  };
  return portal.logIn(form, signed, read);
}

/** Submits id and password; `read` as in `logInByCertificate`. */
export async function logInByPassword<Result>(
  portal: Portal,
  loginPage: PortalPage,
  names: PasswordFields,
  { loginId, loginPassword }: PasswordCredential,
  read: (page: PortalPage) => Result,
): Promise<Result> {
  const password = names.seal?.(loginPage, loginPassword) ?? loginPassword;
  const fields = { [names.id]: loginId, [names.password]: password };
  return portal.logIn(readForm(loginPage, names.form), fields, read);
}

/** A certificate's serial number in hexadecimal, as public portals write it. */
export function serialNumber({ certificateDer }: CertificateCredential): string {
  return new X509Certificate(certificateDer).serialNumber.toLowerCase();
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
