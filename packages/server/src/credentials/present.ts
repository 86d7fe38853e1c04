import type { LinkPurpose, LinkRequest } from '@changgu/contract/schemas';
import type { CertificateFiles } from '../certificates/open-certificate.ts';
import type { Clock } from '../clock.ts';
import type { GivenCredential } from '../rules/links/link-kind.ts';
import { invalidShape, invalidValue, ServiceError } from '../rules/service-error.ts';
import { type Presented, presentCertificate } from './certificate-credential.ts';
import { type ConsentDependencies, type RedeemedConsent, redeemConsent } from './consent-url.ts';
import {
  decryptBinaries,
  decryptTexts,
  type FieldReader,
  fieldReader,
  type ReaderDependencies,
} from './decrypt-values.ts';
import type { InstitutionFacts, Linker, WaitingLinker } from './linker.ts';
import type { OpeningQueue } from './opening-queue.ts';

/** R of a virtual id (KISA VID): 20 bytes. */
const RANDOM_VID_BYTES = 20;

export interface PresentDependencies extends ConsentDependencies, ReaderDependencies {
  readonly clock: Clock;
  readonly openings: OpeningQueue;
}

/** What a link request brings. */
export interface PresentedLink extends Presented {
  /** Of a consent: for which purpose it was given, and the identity of the link that it renews. */
  readonly consented?: Pick<RedeemedConsent, 'purpose' | 'renews'>;
}

/**
 * Decrypts what a link request brings and checks it as far as it can be without the institution.
 * @throws ServiceError 400 when the institution cannot be linked so; CREDENTIAL_INVALID, CONSENT_STATE_INVALID
 */
export async function presentCredential(
  dependencies: PresentDependencies,
  linker: WaitingLinker,
  institution: InstitutionFacts,
  given: GivenCredential,
  request: LinkRequest,
): Promise<PresentedLink> {
  if (!institution.linkTypes.includes(given.type)) {
    const msg = `${institution.provider} is linked by ${institution.linkTypes.join(', ')}`;
    throw invalidValue([{ loc: ['body', 'provider'], msg, type: 'value_error' }]);
  }
  const reader = fieldReader(dependencies, linker.principal.organizationId, null);
  switch (given.type) {
    case 'certificate':
      return dependencies.openings.run(linker.principal.organizationId, linker.gone, () =>
        fromCertificate(dependencies, reader, given, request),
      );
    case 'id_password':
      return fromLogin(reader, given);
    case 'consent':
      return fromConsent(dependencies, linker, institution, {
        ...given,
        purpose: request.purpose ?? null,
      });
  }
}

async function fromCertificate(
  { clock }: PresentDependencies,
  reader: FieldReader,
  given: GivenCredential & { type: 'certificate' },
  { random_enc: randomEnc, cert_oid: certOid }: LinkRequest,
): Promise<Presented> {
  const { encrypted_pw } = given;
  const files = await certificateFiles(reader, given);
  const { encrypted_pw: password } = await decryptTexts(reader, { encrypted_pw });
  return presentCertificate(
    { ...files, password },
    {
      randomVid: randomEnc ? await readRandomVid(reader, randomEnc) : null,
      policyOid: certOid ?? null,
    },
    clock.realNow(),
  );
}

async function certificateFiles(
  reader: FieldReader,
  given: GivenCredential & { type: 'certificate' },
): Promise<CertificateFiles> {
  if ('pkcs12_data' in given) {
    const { pkcs12_data } = given;
    return { pkcs12: (await decryptBinaries(reader, { pkcs12_data })).pkcs12_data };
  }
  const { cert_data, key_data } = given;
  const files = await decryptBinaries(reader, { cert_data, key_data });
  return { certificate: files.cert_data, encryptedKey: files.key_data };
}

/** The bytes themselves, or their base64 as portals hand it out. */
async function readRandomVid(reader: FieldReader, random_enc: string): Promise<Uint8Array> {
  const { random_enc: sent } = await decryptBinaries(reader, { random_enc });
  if (sent.length === RANDOM_VID_BYTES) return sent;
  const decoded = Buffer.from(Buffer.from(sent).toString('latin1'), 'base64');
  if (decoded.length === RANDOM_VID_BYTES) return decoded;
  throw new ServiceError('CREDENTIAL_INVALID', {
    message: {
      ko: 'random_enc 값은 20바이트여야 합니다.',
      en: 'random_enc must hold 20 bytes.',
    },
  });
}

async function fromLogin(
  reader: FieldReader,
  { login_id, login_password }: GivenCredential & { type: 'id_password' },
): Promise<Presented> {
  const login = await decryptTexts(reader, { login_id, login_password });
  const loginId = login.login_id.trim();
  if (loginId === '' || login.login_password === '') {
    const name = loginId === '' ? 'login_id' : 'login_password';
    const msg = 'The decrypted value is empty';
    throw invalidShape([{ loc: ['body', name], msg, type: 'string_too_short' }]);
  }
  return {
    identity: { kind: 'login', parts: [loginId] },
    credential: { type: 'id_password', loginId, loginPassword: login.login_password },
    certificate: null,
  };
}

/** Tokens do not say who consented: each consent is a separate identity. */
async function fromConsent(
  dependencies: PresentDependencies,
  linker: Linker,
  { provider }: InstitutionFacts,
  {
    authorization_code: code,
    state,
    purpose,
  }: GivenCredential & { readonly type: 'consent'; readonly purpose: LinkPurpose | null },
): Promise<PresentedLink> {
  const { authorization, ...consented } = await redeemConsent(dependencies, linker, provider, {
    code,
    state,
    purpose,
  });
  return {
    identity: { kind: 'consent', parts: [state] },
    credential: { type: 'consent', authorization },
    certificate: null,
    consented,
  };
}
