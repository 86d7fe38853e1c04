import type { Attempts } from '../portal/attempts.ts';
import { html } from '../portal/html.ts';
import { checkPassword, signInById } from '../portal/password-login.ts';
import type { Route } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import type { PortalSession } from '../portal/sessions.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, hidden, page, redirect } from '../portal/visit.ts';
import type { ConsentScope, Grant } from './consent-tokens.ts';
import {
  ACCESS_LIFE_SECONDS,
  CONSENT_SCOPES,
  ConsentCodes,
  issueTokens,
  readScopes,
  readToken,
} from './consent-tokens.ts';

/** The one client registered for the consent flow of bank_d. */
export const demoConsentClient = {
  clientId: 'changgu-demo',
  clientSecret: 'changgu-demo-consent-secret',
  /** Path every return address must have. */
  returnPath: '/v1/credentials/consent-return',
} as const;

interface ConsentRequest {
  redirectUri: string;
  state: string;
  scopes: readonly ConsentScope[];
}

const TOKEN = '_csrf';
const SCOPE_TEXT: Record<ConsentScope, string> = {
  accounts: '보유계좌 목록 조회',
  transactions: '계좌 거래내역 조회',
};

const grantsOfSessions = new WeakMap<PortalSession, Grant>();

/** The scopes a session got by consent; null when it was not opened with a token. */
export function consentedScopes(session: PortalSession): readonly ConsentScope[] | null {
  return grantsOfSessions.get(session)?.scopes ?? null;
}

function isReturnAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { pathname, protocol } = new URL(text);
  return pathname === demoConsentClient.returnPath && /^https?:$/.test(protocol);
}

function readRequest(parameters: URLSearchParams): ConsentRequest {
  const redirectUri = parameters.get('redirect_uri') ?? '';
  const state = parameters.get('state') ?? '';
  const scopes = readScopes(parameters.get('scope') ?? '');
  const known =
    parameters.get('response_type') === 'code' &&
    parameters.get('client_id') === demoConsentClient.clientId;
  if (!known || !isReturnAddress(redirectUri)) {
    throw refuse('등록되지 않은 이용기관의 요청입니다.', 'O1001');
  }
  if (state === '' || scopes.length === 0) throw refuse('요청 정보가 올바르지 않습니다.', 'O1002');
  return { redirectUri, state, scopes };
}

function consentScreen(visit: Visit): Reply {
  const request = readRequest(visit.query);
  const boxes = CONSENT_SCOPES.filter((scope) => request.scopes.includes(scope)).map(
    (scope) =>
      html`<li><label><input type="checkbox" name="scope" value="${scope}" checked> ${SCOPE_TEXT[scope]}</label></li>\n`,
  );
  return page(
    '개인신용정보 전송요구 및 동의',
    html`<p class="client">창구(Changgu) 서비스에 아래 정보의 제공을 동의합니다.</p>
<form id="consentForm" method="post" action="/oauth/authorize">
${hidden(TOKEN, visit.session.csrf)}${hidden('request', visit.query.toString())}
<ul class="scopes">${boxes}</ul>
<label>아이디 <input type="text" name="id" autocomplete="username"></label>
<label>비밀번호 <input type="password" name="password" autocomplete="current-password"></label>
<button type="submit" name="decision" value="approve">동의</button>
<button type="submit" name="decision" value="deny">거부</button>
</form>`,
  );
}

function returnTo(request: ConsentRequest, parameters: Record<string, string>): Reply {
  const target = new URL(request.redirectUri);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  target.searchParams.set('state', request.state);
  return redirect(target.href);
}

function decide(visit: Visit, codes: ConsentCodes, attempts: Attempts): Reply {
  const request = readRequest(new URLSearchParams(field(visit, 'request')));
  if (field(visit, 'decision') !== 'approve') return returnTo(request, { error: 'access_denied' });
  const loginId = field(visit, 'id');
  checkPassword(loginId, visit.form.get('password') ?? '', attempts);
  const chosen = visit.form.getAll('scope');
  const scopes = request.scopes.filter((scope) => chosen.includes(scope));
  if (scopes.length === 0) throw refuse('제공할 정보를 선택하여 주십시오.', 'O1003');
  return returnTo(request, {
    code: codes.issue({ loginId, scopes }, request.redirectUri, visit.now),
  });
}

function oauthError(error: string, status = 400): Reply {
  return { kind: 'json', status, body: { error } };
}

function grantOf(visit: Visit, codes: ConsentCodes): Grant | null {
  if (field(visit, 'grant_type') === 'refresh_token') {
    return readToken(field(visit, 'refresh_token'), 'refresh', visit.now);
  }
  return codes.redeem(field(visit, 'code'), field(visit, 'redirect_uri'), visit.now);
}

function exchange(visit: Visit, codes: ConsentCodes): Reply {
  const { clientId, clientSecret } = demoConsentClient;
  if (field(visit, 'client_id') !== clientId || field(visit, 'client_secret') !== clientSecret) {
    return oauthError('invalid_client', 401);
  }
  if (!['authorization_code', 'refresh_token'].includes(field(visit, 'grant_type'))) {
    return oauthError('unsupported_grant_type');
  }
  const grant = grantOf(visit, codes);
  if (!grant) return oauthError('invalid_grant');
  const { accessToken, refreshToken } = issueTokens(grant, visit.now);
  return {
    kind: 'json',
    status: 200,
    body: {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_LIFE_SECONDS,
      refresh_token: refreshToken,
      scope: grant.scopes.join(' '),
    },
  };
}

function openWithToken(visit: Visit): Reply {
  const token = /^Bearer (\S+)$/.exec(visit.authorization ?? '')?.[1] ?? '';
  const grant = readToken(token, 'access', visit.now);
  if (!grant) return oauthError('invalid_token', 401);
  signInById(visit, grant.loginId, 'consent');
  grantsOfSessions.set(visit.session, grant);
  return { kind: 'nothing' };
}

/** Consent screen, code exchange and sessions opened with the token (bank_d). */
export function consentRoutes(attempts: Attempts): Route[] {
  const codes = new ConsentCodes();
  return [
    get('/oauth/authorize', consentScreen),
    post('/oauth/authorize', (visit) => decide(visit, codes, attempts)),
    {
      ...post('/oauth/token', (visit) => exchange(visit, codes)),
      checksToken: false,
    },
    { ...post('/oauth/session', openWithToken), checksToken: false },
  ];
}
