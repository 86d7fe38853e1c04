import { Type } from 'typebox';
import { defineAction, type InstitutionDefinition } from '../define-action.ts';
import { nullable, oneOf } from '../schemas/vocabulary.ts';
import {
  businessRegistrationNo,
  choice,
  count,
  described,
  flag,
  maybeText,
  ownText,
  success,
} from './fields.ts';

const MEMBER_TYPES = ['BE904', 'BE902'] as const;

const loginParams = Type.Object({
  business_registration_no: Type.Optional(businessRegistrationNo),
  business_management_no: Type.Optional(
    Type.String({
      pattern: '^\\d{11}$',
      ...described({
        ko: '고용보험 사업장관리번호 11자리. 지원금 신청에 필요합니다.',
        en: 'Employment-insurance workplace number (고용보험 사업장관리번호), 11 digits; incentive applications need it',
      }),
      examples: ['12345678910'],
    }),
  ),
  isoa_no: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 20,
      ...described({
        ko: '사무대행기관번호. member_type_code가 BE902이면 반드시 넣어야 합니다.',
        en: 'Agency number (사무대행기관번호); required with member_type_code BE902',
      }),
    }),
  ),
  member_type_code: Type.Optional(
    choice(
      {
        BE904: { ko: '사업장', en: 'general business (사업장)' },
        BE902: { ko: '사무대행기관', en: 'agency (사무대행기관)' },
      },
      { ko: '회원 유형', en: 'Member type' },
      { default: 'BE904' },
    ),
  ),
});

/**
 * The only list of the login result's names. The base specification truncates one of them after `auth_`.
 * @see docs/specification/institutions.md#d77
 */
const loginResult = Type.Object({
  success,
  authenticated: flag('The portal session is logged in'),
  cookie_count: count('Cookies kept for the session'),
  auth_method: oneOf(['npki_cms'], { description: 'Type of the registered certificate' }),
  auth_material_ready: flag('Everything that later tasks need is there'),
  missing_auth_material_keys: Type.Array(ownText('Name'), {
    description: 'Names of what is still missing',
  }),
  business_registration_no: maybeText('Business registration number of the session'),
  business_management_no: maybeText('Workplace number of the session, 11 digits'),
  business_management_no_hyphenated: maybeText('The same as 000-00-00000-0'),
  member_type_code: oneOf(MEMBER_TYPES, { description: 'Member type of the session' }),
  session_generation: oneOf(['new', 'reused'], {
    description: 'Was a session made, or an open one used again?',
  }),
});

const statusResult = Type.Object({
  exists: flag('Whether a session is stored; false is not a failure'),
  authenticated: flag('The portal confirmed that the session is logged in'),
  ready: nullable(flag('Everything that later tasks need is there')),
  missing_keys: Type.Array(ownText('Name'), { description: 'Names of what is still missing' }),
  keys: Type.Partial(
    Type.Object({
      session_cookie: flag('The cookie of the session is there'),
      sso_cookie: flag('The cookie of the single sign-on is there'),
      member_type_cookie: flag('The cookie of the member type is there'),
      csrf_token: flag('The token of the portal against forged requests is there'),
    }),
    { description: 'Which parts of the session are there; empty without one' },
  ),
  cookie_count: count('Cookies kept for the session'),
  business_registration_no: maybeText('Business registration number of the session'),
  business_management_no: maybeText('Workplace number of the session, 11 digits'),
  member_type_code: nullable(oneOf(MEMBER_TYPES, { description: 'Member type of the session' })),
  login_check: maybeText('What the portal says about the login'),
  flow_origin: nullable(ownText('Action that made the session')),
  stored_session_keys: Type.Array(ownText('Name'), {
    description: 'Names of everything stored with the session',
  }),
});

export const employment: InstitutionDefinition = {
  provider: 'employment',
  title: { ko: '고용지원 포털', en: 'Employment-support portal' },
  kind: 'employment',
  linkTypes: ['certificate'],
  consentFeatures: [],
  actions: [
    defineAction({
      id: 'employment.auth.npki_session.login',
      title: { ko: '고용지원 포털 인증서 로그인', en: 'Log in to the employment portal' },
      description: {
        ko: '등록된 공동인증서로 고용지원 포털에 로그인하여 이후 지원금 업무에 쓸 세션을 만듭니다. 값을 생략하면 대표 연결의 인증 정보를 사용합니다. 세션은 20분 동안 사용하지 않으면 끝납니다.',
        en: 'Logs in with the registered certificate and keeps the session for later subsidy tasks. Values that you omit come from the credential of the primary link. A session ends after 20 idle minutes.',
      },
      params: loginParams,
      result: loginResult,
      link: 'optional',
      timeoutSeconds: 60,
      toolName: 'employment_login',
    }),
    defineAction({
      id: 'employment.auth.session.status',
      title: { ko: '고용지원 포털 세션 상태', en: 'Employment portal session status' },
      description: {
        ko: '고용지원 포털의 로그인 세션이 있는지, 아직 유효한지 확인합니다. 세션이 없어도 오류가 아니며 exists가 false로 표시됩니다.',
        en: 'Tells whether there is a login session and whether it is still valid. Having no session is not an error: exists is then false.',
      },
      params: Type.Object({}),
      result: statusResult,
      link: 'optional',
      timeoutSeconds: 60,
      toolName: 'employment_session_status',
    }),
  ],
};
