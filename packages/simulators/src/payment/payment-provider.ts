import { html } from '../portal/html.ts';
import type { Look, Portal, PortalBase } from '../portal/portal.ts';
import { get, post } from '../portal/portal.ts';
import { refuse } from '../portal/stop.ts';
import type { Reply, Visit } from '../portal/visit.ts';
import { field, hidden, page, redirect } from '../portal/visit.ts';
import { dayOf, formatDay, formatTime } from '../seed/kst.ts';
import { BillingKeys } from './billing-keys.ts';
import { readCard } from './card.ts';

/** The one merchant registered here. */
export const demoPaymentMerchant = {
  clientKey: 'sim_ck_changgu',
  secretKey: 'sim_sk_changgu-demo-payment-secret',
} as const;

export interface PaymentProvider extends Portal {
  billingKeys: BillingKeys;
}

const TOKEN = '_csrf';

const look: Look = {
  name: '마루페이',
  tokenField: TOKEN,
  cookie: 'MARUPAYSESSION',
  charset: () => 'utf-8',
  contentType: () => 'text/html; charset=utf-8',
  message: (text, code) => html`<p role="alert" data-code="${code}">${text}</p>`,
};

interface CardRequest {
  customerKey: string;
  successUrl: string;
  failUrl: string;
}

function readRequest(parameters: URLSearchParams): CardRequest {
  const of = (name: string): string => parameters.get(name) ?? '';
  if (of('client_key') !== demoPaymentMerchant.clientKey) {
    throw refuse('등록되지 않은 가맹점의 요청입니다.', 'P0001');
  }
  const request = {
    customerKey: of('customer_key'),
    successUrl: of('success_url'),
    failUrl: of('fail_url'),
  };
  const { customerKey, successUrl, failUrl } = request;
  const isKey = /^[\w\-=.@]{2,300}$/.test(customerKey);
  if (!isKey || !isWebAddress(successUrl) || !isWebAddress(failUrl)) {
    throw refuse('요청 정보가 올바르지 않습니다.', 'P0002');
  }
  return request;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function cardPage(visit: Visit): Reply {
  readRequest(visit.query);
  return page(
    '자동결제 카드 등록',
    html`<form id="cardForm" method="post" action="/billing/auth">
${hidden(TOKEN, visit.session.csrf)}${hidden('request', visit.query.toString())}
<label>카드번호 <input type="text" name="card_number" inputmode="numeric" autocomplete="cc-number"></label>
<label>유효기간(MM/YY) <input type="text" name="expiry" inputmode="numeric" autocomplete="cc-exp"></label>
<label>카드 비밀번호 앞 두 자리 <input type="password" name="card_password" inputmode="numeric"></label>
<label>생년월일 또는 사업자등록번호 <input type="text" name="owner" inputmode="numeric"></label>
<button type="submit" name="decision" value="register">등록</button>
<button type="submit" name="decision" value="cancel">취소</button>
</form>`,
  );
}

function returnTo(address: string, parameters: Record<string, string>): Reply {
  const target = new URL(address);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return redirect(target.href);
}

function register(visit: Visit, billingKeys: BillingKeys): Reply {
  const { customerKey, successUrl, failUrl } = readRequest(
    new URLSearchParams(field(visit, 'request')),
  );
  if (field(visit, 'decision') === 'cancel') {
    return returnTo(failUrl, { code: 'USER_CANCEL', message: '사용자가 취소하였습니다.' });
  }
  const card = readCard(
    {
      number: field(visit, 'card_number'),
      expiry: field(visit, 'expiry'),
      password: field(visit, 'card_password'),
      owner: field(visit, 'owner'),
    },
    visit.now,
  );
  return returnTo(successUrl, {
    customer_key: customerKey,
    auth_key: billingKeys.authorize(customerKey, card),
  });
}

function failure(status: number, code: string, message: string): Reply {
  return { kind: 'json', status, body: { code, message } };
}

function isMerchant(authorization: string | null): boolean {
  const pair = Buffer.from(`${demoPaymentMerchant.secretKey}:`).toString('base64');
  return authorization === `Basic ${pair}`;
}

function issue(visit: Visit, billingKeys: BillingKeys): Reply {
  if (!isMerchant(visit.authorization)) {
    return failure(401, 'UNAUTHORIZED_KEY', '인증되지 않은 시크릿 키입니다.');
  }
  const customerKey = field(visit, 'customer_key');
  const answer = billingKeys.exchange({
    authKey: field(visit, 'auth_key'),
    customerKey,
    idempotencyKey: visit.idempotencyKey,
  });
  if (answer.kind === 'invalid') {
    return failure(400, 'INVALID_AUTH_KEY', '유효하지 않은 인증 키입니다.');
  }
  if (answer.kind === 'declined') {
    return failure(403, 'CARD_DECLINED', '카드사에서 카드 등록을 거절하였습니다.');
  }
  const { billingKey, card, at } = answer;
  return {
    kind: 'json',
    status: 200,
    body: {
      billing_key: billingKey,
      customer_key: customerKey,
      method: 'CARD',
      card_company: card.company,
      card_number: card.maskedNumber,
      authenticated_at: `${formatDay(dayOf(at), '-')}T${formatTime(at)}+09:00`,
    },
  };
}

/** A payment provider as a merchant and its customer see it: the card page, and billing keys for auth keys. */
export function createPaymentProvider(base: PortalBase, now: () => number): PaymentProvider {
  const billingKeys = new BillingKeys(now);
  return {
    ...base,
    look,
    billingKeys,
    routes: [
      get('/billing/auth', cardPage),
      post('/billing/auth', (visit) => register(visit, billingKeys)),
      {
        ...post('/v1/billing/authorizations/issue', (visit) => issue(visit, billingKeys)),
        checksToken: false,
      },
    ],
  };
}
