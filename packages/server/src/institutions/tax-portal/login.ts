import { PORTAL_SESSION_IDLE_MS } from '../../rules/jobs/session-idle.ts';
import { kstTime } from '../../rules/kst.ts';
import type { Call, Credential, JsonObject } from '../connector.ts';
import { type Entered, keepingLogin } from '../portal/ending-login.ts';
import { typedPassword } from '../portal/keypad.ts';
import { labelledValues, type PortalPage } from '../portal/page.ts';
import { openPortal, type Portal } from '../portal/portal.ts';
import {
  base64,
  logInByCertificate,
  logInByPassword,
  serialNumber,
  withoutCredential,
} from '../portal/portal-login.ts';
import { taxPortalFace } from './face.ts';

const STEPS = 2;
const LOGOUT = { page: '/login', form: '#logoutForm' };
const CERTIFICATE = {
  form: '#certLoginForm',
  nonce: 'svrNonce',
  certificate: 'certDer',
  signature: 'logSgnt',
};
const PASSWORD = {
  form: '#idLoginForm',
  id: 'userId',
  password: 'userPw',
  seal: typedPassword,
};

/** tax_portal.s1.login: by certificate or id; a new session each time, as at the portal. */
export async function logIn(call: Call): Promise<JsonObject> {
  const credential = call.link?.credential;
  if (credential === undefined) throw withoutCredential();
  const portal = openPortal(call, taxPortalFace);
  call.progress(1, STEPS, '국세 포털에 접속하고 있습니다');
  const loginPage = await portal.get('/login');
  call.progress(2, STEPS, '국세 포털에 로그인하고 있습니다');
  const now = await call.clock.now();
  await keepingLogin(call, portal, LOGOUT, async (entered) => {
    await enter(portal, loginPage, credential, now, entered);
    await call.session.save({ cookies: portal.cookies() });
  });
  return { success: true, session_expires_at: kstTime(now + PORTAL_SESSION_IDLE_MS) };
}

async function enter(
  portal: Portal,
  loginPage: PortalPage,
  credential: Credential,
  now: number,
  entered: Entered,
): Promise<unknown> {
  const read = (page: PortalPage) => {
    entered(page);
    return labelledValues(page, '#content > table.tbl_info');
  };
  switch (credential.type) {
    case 'id_password':
      return logInByPassword(portal, loginPage, PASSWORD, credential, read);
    case 'certificate': {
      const serial = serialNumber(credential);
      const { randomVid } = credential;
      return logInByCertificate(portal, loginPage, CERTIFICATE, credential, read, {
        fields: { randomEnc: randomVid === null ? '' : base64(randomVid) },
        seal: (nonce, signature) => sealedLogin(nonce, serial, now, signature),
      });
    }
    case 'consent':
      throw withoutCredential();
  }
}

/** nonce$serial$yyyyMMddHHmmss$signature, in base64. */
function sealedLogin(nonce: string, serial: string, now: number, signature: string): string {
  const time = kstTime(now).slice(0, 19).replaceAll(/\D/g, '');
  return base64(Buffer.from([nonce, serial, time, signature].join('$')));
}
