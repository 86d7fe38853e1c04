import type { Call, JsonObject } from '../connector.ts';
import { keepingLogin } from '../portal/ending-login.ts';
import { cookieCount } from '../portal/logged-in.ts';
import { labelledValues } from '../portal/page.ts';
import { openPortal } from '../portal/portal.ts';
import { logInByCertificate, withoutCredential } from '../portal/portal-login.ts';
import { siEdiFace } from './face.ts';

const STEPS = 2;
const LOGOUT = { page: '/wbiz/login/loginForm.do', form: '#logoutForm' };
const FIELDS = {
  form: '#certLoginForm',
  nonce: 'challenge',
  certificate: 'signCert',
  signature: 'signValue',
};

/** si_edi.auth.session.login: a new session each time, as at the portal. */
export async function logIn(call: Call): Promise<JsonObject> {
  const credential = call.link?.credential;
  // Without a certificate there is no login: a link has to be created first.
  if (credential?.type !== 'certificate') throw withoutCredential();
  const portal = openPortal(call, siEdiFace);
  call.progress(1, STEPS, '사회보험 EDI 포털에 접속하고 있습니다');
  const loginPage = await portal.get('/wbiz/login/loginForm.do');
  call.progress(2, STEPS, '공동인증서로 로그인하고 있습니다');
  const cookies = await keepingLogin(call, portal, LOGOUT, async (entered) => {
    await logInByCertificate(portal, loginPage, FIELDS, credential, (page) => {
      entered(page);
      return labelledValues(page, '#content > table.tbl_view');
    });
    await call.session.save({ cookies: portal.cookies() });
    return portal.cookies();
  });
  return {
    success: true,
    authenticated: true,
    cookie_count: cookieCount(cookies),
    auth_method: 'npki_cms',
    session_generation: 'new',
  };
}
