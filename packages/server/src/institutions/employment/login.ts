import type { Call, Credential, JsonObject } from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { textParam } from '../params.ts';
import { type Entered, keepingLogin } from '../portal/ending-login.ts';
import { cookieCount } from '../portal/logged-in.ts';
import { labelled, labelledValues, type PortalPage } from '../portal/page.ts';
import { openPortal, type Portal } from '../portal/portal.ts';
import { logInByCertificate } from '../portal/portal-login.ts';
import { digitsOrNull } from '../portal/printed-values.ts';
import { employmentFace } from './face.ts';
import { type EmploymentSession, materialOf, missingKeys } from './session.ts';

type CertificateCredential = Extract<Credential, { type: 'certificate' }>;

const STEPS = 3;
/** The member type that logs in with a number of its own. */
const AGENCY = 'BE902';
const LOGOUT = { page: '/login/loginForm.do', form: '#logoutForm' };
const FIELDS = {
  form: '#certLoginForm',
  nonce: 'svrNonce',
  certificate: 'certData',
  signature: 'signData',
};
/** The portal's error numbers for a certificate without membership, and for one that is not a business's. */
const NO_MEMBERSHIP = ['employment:E1104', 'employment:E3102'];

/** employment.auth.npki_session.login: a new session each time, as at the portal. */
export async function logIn(call: Call): Promise<JsonObject> {
  const credential = certificateOf(call);
  const fields = loginFields(call);
  const portal = openPortal(call, employmentFace);
  const session = await keepingLogin(call, portal, LOGOUT, async (entered) => {
    const opened = await enter(call, portal, { credential, fields }, entered);
    call.progress(3, STEPS, '로그인 세션을 저장하고 있습니다');
    await keep(call, opened);
    return opened;
  });
  const missing = missingKeys(materialOf(session));
  return {
    success: true,
    authenticated: true,
    cookie_count: cookieCount(session.cookies),
    auth_method: 'npki_cms',
    auth_material_ready: missing.length === 0,
    missing_auth_material_keys: missing,
    business_registration_no: session.business_registration_no,
    business_management_no: session.business_management_no,
    business_management_no_hyphenated: hyphenated(session.business_management_no),
    member_type_code: session.member_type_code,
    session_generation: 'new',
  };
}

/** @throws InstitutionError EMPLOYMENT_LOGIN_FAILED without a certificate */
function certificateOf({ link }: Call): CertificateCredential {
  if (link?.credential.type === 'certificate') return link.credential;
  throw new InstitutionError('EMPLOYMENT_LOGIN_FAILED');
}

interface Login {
  readonly credential: CertificateCredential;
  readonly fields: Readonly<Record<string, string>>;
}

async function enter(
  call: Call,
  portal: Portal,
  { credential, fields }: Login,
  entered: Entered,
): Promise<EmploymentSession> {
  call.progress(1, STEPS, '고용지원 포털에 접속하고 있습니다');
  const loginPage = await portal.get('/login/loginForm.do');
  call.progress(2, STEPS, '공동인증서로 로그인하고 있습니다');
  try {
    const read = (page: PortalPage) => {
      entered(page);
      return sessionOf(call, portal, page);
    };
    return await logInByCertificate(portal, loginPage, FIELDS, credential, read, {
      fields,
    });
  } catch (error) {
    throw isWithoutMembership(error) ? loginFailed(error) : error;
  }
}

/**
 * Omitted values come from the link.
 * @throws InstitutionError PROVIDER_VALIDATION_ERROR for an agency without its number
 */
function loginFields({ params, link }: Call): Record<string, string> {
  const selected = link?.selectedAssets ?? {};
  const chosen = (name: string) => textParam(params, name) ?? textParam(selected, name);
  const memberType = chosen('member_type_code') ?? 'BE904';
  // The link's number is for logins as an agency: one as a business does not send it.
  const agencyNumber = memberType === AGENCY ? chosen('isoa_no') : textParam(params, 'isoa_no');
  if (memberType === AGENCY && agencyNumber === null) {
    throw new InstitutionError('PROVIDER_VALIDATION_ERROR', {
      message: '사무대행기관번호(isoa_no)를 입력하십시오.',
    });
  }
  return {
    mbrTpCd: memberType,
    bizrNo: chosen('business_registration_no')?.replaceAll('-', '') ?? '',
    bizMngNo: chosen('business_management_no') ?? '',
    isoaNo: agencyNumber ?? '',
  };
}

function isWithoutMembership(error: unknown): error is InstitutionError {
  if (!(error instanceof InstitutionError)) return false;
  return NO_MEMBERSHIP.includes(error.details.providerErrorRef ?? '');
}

function loginFailed({ details }: InstitutionError): InstitutionError {
  const { providerErrorRef, upstreamStatus } = details;
  return new InstitutionError('EMPLOYMENT_LOGIN_FAILED', {
    ...(providerErrorRef === undefined ? {} : { providerErrorRef }),
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
  });
}

function sessionOf(call: Call, portal: Portal, main: PortalPage): EmploymentSession {
  const values = labelledValues(main, '#content > table.tbl_view');
  return {
    cookies: portal.cookies(),
    csrf_token: main.$('meta[name="_csrf"]').attr('content') ?? null,
    business_registration_no: digitsOrNull(labelled(values, '사업자등록번호')),
    business_management_no: digitsOrNull(labelled(values, '사업장관리번호')),
    member_type_code: /BE90[24]/.exec(labelled(values, '회원구분'))?.[0] ?? 'BE904',
    flow_origin: call.action.id,
  };
}

async function keep(call: Call, session: EmploymentSession): Promise<void> {
  try {
    await call.session.save({ ...session });
  } catch (cause) {
    call.signal.throwIfAborted();
    throw new InstitutionError('EMPLOYMENT_SESSION_SAVE_FAILED', { cause });
  }
}

/** 000-00-00000-0 */
function hyphenated(managementNumber: string | null): string | null {
  return managementNumber?.replace(/^(\d{3})(\d{2})(\d{5})(\d)$/, '$1-$2-$3-$4') ?? null;
}
