import { randomBytes, verify, X509Certificate } from 'node:crypto';
import type { RegisteredCertificate } from '../demo/certificates.ts';
import { memberOfCertificate } from '../demo/certificates.ts';
import { authorityDer } from '../demo/generated/certificates.ts';
import { magicOfMember, ownerNumberOf } from '../demo/members.ts';
import { locked } from './attempts.ts';
import type { Html } from './html.ts';
import { html } from './html.ts';
import type { PortalSession, SignIn } from './sessions.ts';
import { refuse, Stop } from './stop.ts';
import type { Visit } from './visit.ts';
import { field, hidden } from './visit.ts';

const NONCE_LIFE_MS = 3 * 60_000;
const authority = new X509Certificate(Buffer.from(authorityDer, 'base64'));

/** Names of a portal's certificate form. */
export interface CertificateForm {
  action: string;
  tokenField: string;
  nonceField: string;
  certificateField: string;
  signatureField: string;
}

const nonces = new WeakMap<PortalSession, { nonce: string; at: number }>();

/** The form with a fresh nonce; `more` are the portal's further fields. */
export function certificateForm(
  visit: Visit,
  form: CertificateForm,
  more: Html | null = null,
): Html {
  const nonce = randomBytes(24).toString('base64url');
  nonces.set(visit.session, { nonce, at: visit.now });
  return html`<form id="certLoginForm" name="certLoginForm" method="post" action="${form.action}">
<fieldset><legend>공동인증서 로그인</legend>
${hidden(form.tokenField, visit.session.csrf)}
${hidden(form.nonceField, nonce)}
${hidden(form.certificateField, '')}
${hidden(form.signatureField, '')}
${more}
<button type="button" onclick="fn_certLogin()">공동인증서 로그인</button>
</fieldset></form>`;
}

function takeNonce(visit: Visit, sent: string): string {
  const issued = nonces.get(visit.session);
  nonces.delete(visit.session);
  if (!issued || issued.nonce !== sent || visit.now - issued.at > NONCE_LIFE_MS) {
    throw refuse('로그인 유효시간이 지났습니다. 다시 시도하여 주십시오.', 'E1105');
  }
  return issued.nonce;
}

function readCertificate(base64: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    throw refuse('인증서 정보를 읽을 수 없습니다.', 'E1106');
  }
}

/** Chain and validity; validity is checked against real time, not the business clock. */
function checkCertificate(certificate: X509Certificate): void {
  if (!certificate.checkIssued(authority) || !certificate.verify(authority.publicKey)) {
    throw refuse('신뢰할 수 없는 인증기관의 인증서입니다.', 'E1102');
  }
  const now = new Date();
  if (now < certificate.validFromDate || now > certificate.validToDate) {
    throw refuse('인증서의 유효기간이 만료되었습니다.', 'E1101');
  }
}

function refuseByMagic(registered: RegisteredCertificate): void {
  const magic = magicOfMember(registered.member);
  if (magic === '0401') throw refuse('등록된 인증서 정보와 일치하지 않습니다.', 'E1401');
  if (magic === '0423') throw locked();
  if (magic === '0503') throw new Stop({ kind: 'maintenance' });
}

export interface PresentedCertificate {
  certificate: X509Certificate;
  registered: RegisteredCertificate;
}

/**
 * Checks nonce, chain, validity, signature and registration.
 * @param signature base64 of SHA256withRSA over the nonce.
 * @throws Stop with the portal's words for what is wrong.
 */
export function checkCertificateLogin(
  visit: Visit,
  form: CertificateForm,
  signature: string,
): PresentedCertificate {
  const nonce = takeNonce(visit, field(visit, form.nonceField));
  const certificate = readCertificate(field(visit, form.certificateField));
  checkCertificate(certificate);
  const bytes = Buffer.from(signature, 'base64');
  if (!verify('sha256', Buffer.from(nonce), certificate.publicKey, bytes)) {
    throw refuse('전자서명 검증에 실패하였습니다.', 'E1103');
  }
  const registered = memberOfCertificate(certificate);
  if (!registered) throw refuse('등록되지 않은 인증서입니다.', 'E1104');
  refuseByMagic(registered);
  return { certificate, registered };
}

export function signInMember(
  visit: Visit,
  { registered, certificate }: PresentedCertificate,
): SignIn {
  const { member } = registered;
  return visit.sessions.signIn(
    visit.session,
    'login',
    {
      login: certificate.serialNumber,
      owner: ownerNumberOf(member),
      method: 'certificate',
      magic: magicOfMember(member),
      member,
    },
    visit.position,
  );
}

/** The certificate login of portals that want nothing more than certificate and signature. */
export function signInByCertificate(visit: Visit, form: CertificateForm): SignIn {
  return signInMember(visit, checkCertificateLogin(visit, form, field(visit, form.signatureField)));
}
