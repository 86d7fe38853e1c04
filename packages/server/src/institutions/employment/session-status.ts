import type { Call, JsonObject } from '../connector.ts';
import { cookieCount, endOfSession, insideSession } from '../portal/logged-in.ts';
import { labelled, labelledValues } from '../portal/page.ts';
import { openPortal } from '../portal/portal.ts';
import { employmentFace } from './face.ts';
import { materialOf, missingKeys, readSession } from './session.ts';

/** employment.auth.session.status: a missing session is an answer, not an error. */
export async function sessionStatus(call: Call): Promise<JsonObject> {
  const state = await call.session.load();
  if (state === null) return NONE;
  const session = readSession(state);
  call.progress(1, 1, '고용지원 포털의 로그인 상태를 확인하고 있습니다');
  const { check, cookies } = await askPortal(call, session.cookies);
  const authenticated = check === LOGGED_IN;
  if (authenticated) await call.session.save({ ...state, cookies }).catch(() => {});
  else await call.session.clear();
  const material = materialOf(session);
  const missing = missingKeys(material);
  return {
    exists: true,
    authenticated,
    ready: authenticated && missing.length === 0,
    missing_keys: missing,
    keys: material,
    cookie_count: cookieCount(cookies),
    business_registration_no: session.business_registration_no,
    business_management_no: session.business_management_no,
    member_type_code: session.member_type_code,
    login_check: check,
    flow_origin: session.flow_origin,
    stored_session_keys: Object.keys(state),
  };
}

const LOGGED_IN = '로그인';
const ENDED = '세션 종료';

/** The answer when there is no session. */
const NONE: JsonObject = {
  exists: false,
  authenticated: false,
  ready: null,
  missing_keys: [],
  keys: {},
  cookie_count: 0,
  business_registration_no: null,
  business_management_no: null,
  member_type_code: null,
  login_check: null,
  flow_origin: null,
  stored_session_keys: [],
};

async function askPortal(call: Call, stored: JsonObject) {
  const portal = openPortal(call, insideSession(employmentFace), stored);
  try {
    const page = await portal.get('/mypage/sessionInfo.do');
    const check = labelled(labelledValues(page, '#content > table.tbl_view'), '로그인상태');
    return { check, cookies: portal.cookies() };
  } catch (error) {
    if (endOfSession(error) === null) throw error;
    return { check: ENDED, cookies: stored };
  }
}
