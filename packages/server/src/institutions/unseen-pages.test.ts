import {
  demoAccounts,
  demoCertificates,
  demoMembers,
  type Provider,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bankA } from './banks/bank-a.ts';
import { bankB } from './banks/bank-b.ts';
import { bankC } from './banks/bank-c.ts';
import { bankD } from './banks/bank-d.ts';
import type { InstitutionModule, JsonObject, PortalRequest, PortalResponse } from './connector.ts';
import { employment } from './employment/employment.ts';
import { InstitutionError } from './institution-error.ts';
import { decodeText } from './portal/charset.ts';
import { siEdi } from './si-edi/si-edi.ts';
import { taxPortal } from './tax-portal/tax-portal.ts';
import { changedHttp, withText } from './testing/changed-http.ts';
import { certificateCredential, fakeCall, memorySession } from './testing/fake-call.ts';

const NOW = Date.parse('2026-11-21T12:00:00+09:00');
/** A dozen pages, and at the bank that shows 92 days at a time two periods. */
const PERIOD = { from_date: '20260722', to_date: '20261121' };
const HISTORY = 'accounts.transaction_history.search';

/** The reads of every institution; what needs a session logs in first. */
const READS: readonly [InstitutionModule, string, JsonObject?, string?][] = [
  [bankA, 'accounts.list'],
  [bankA, 'accounts.quick_summary.get'],
  [bankB, 'accounts.list'],
  [bankB, HISTORY, PERIOD],
  [bankC, HISTORY, PERIOD],
  [bankD, HISTORY, PERIOD],
  [employment, 'auth.npki_session.login'],
  [siEdi, 'b1.resources.faqs.list', {}, 'auth.session.login'],
  [siEdi, 'b1.resources.notices.institutions.list', {}, 'auth.session.login'],
  [taxPortal, 's1.user_info', {}, 's1.login'],
  [taxPortal, 'c1.certificates_list', {}, 's1.login'],
  [taxPortal, 'e1.invoice_summary', {}, 's1.login'],
  [taxPortal, 't1.payment_statement', { mate_knd_cd: 'A0051' }, 's1.login'],
];

type Change = (response: PortalResponse) => PortalResponse;

const html = (body: string) =>
  `<!DOCTYPE html><html lang="ko"><head><title>안내</title></head><body>${body}</body></html>`;
const inPlace =
  (body: string): Change =>
  (response) =>
    withText({ ...response, status: 200 }, html(body));
const rewritten =
  (change: (text: string) => string): Change =>
  (response) =>
    withText(response, change(response.text()));

/** Pages that the simulated institutions do not have. */
const UNSEEN: Readonly<Record<string, Change>> = {
  'a login page': inPlace(
    '<div id="content"><h1>로그인</h1><form id="certLoginForm" method="post" action="/login"><input name="signature"></form></div>',
  ),
  'a maintenance page with status 200': inPlace(
    '<div class="notice"><img src="/img/check.gif" alt=""><h2>홈페이지 개편 작업으로 서비스가 중단됩니다.</h2><table><tr><td>작업시간</td><td>00:00 ~ 06:00</td></tr></table></div>',
  ),
  'a page that only runs a script': inPlace('<script>location.replace("/index.do");</script>'),
  'a frame set': inPlace('<iframe src="/main.do" title="본문"></iframe>'),
  XML: (response) =>
    withText(
      { ...response, status: 200 },
      '<?xml version="1.0" encoding="UTF-8"?><map id="resultMsg"><result>F</result></map>',
    ),
  'JSON that says it is a page': (response) =>
    withText({ ...response, status: 200 }, '{"list":[],"totalCount":0}'),
  'an empty page': inPlace(''),
  'tables without rows': rewritten((text) =>
    text.replace(/<tbody>[\s\S]*?<\/tbody>/g, '<tbody></tbody>'),
  ),
  'a message across the whole table': rewritten((text) =>
    text.replace(
      /<tbody>[\s\S]*?<\/tbody>/g,
      '<tbody><tr><td colspan="9">해당 계좌가 존재하지 않습니다.</td></tr></tbody>',
    ),
  ),
  'a column title that stands there twice': rewritten((text) =>
    text.replace(
      /<th scope="col">([^<]*)<\/th>\s*<th scope="col">[^<]*<\/th>/,
      '<th scope="col">$1</th><th scope="col">$1</th>',
    ),
  ),
  'a column more': rewritten((text) =>
    text
      .replaceAll('<tr><td', '<tr><td>선택</td><td')
      .replace(/<thead><tr>/g, '<thead><tr><th scope="col">선택</th>'),
  ),
  'labels that stand there twice': rewritten((text) =>
    text.replace(
      /<th scope="row">([^<]*)<\/th><td>[^<]*<\/td>/g,
      '$&<th scope="row">$1</th><td>0</td>',
    ),
  ),
};

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => NOW });
});
afterAll(() => simulators.close());

interface Performed {
  readonly result: JsonObject | InstitutionError;
  /** The requests of the action alone, and how often a credential was announced in it. */
  readonly requests: readonly PortalRequest[];
  readonly presented: number;
}

/** Performs a read; the portal's answer number `at` to it is changed, or each of them. */
async function perform(
  [institution, name, params = {}, login]: (typeof READS)[number],
  change: Change = (response) => response,
  at: number | 'each' = 0,
): Promise<Performed> {
  const provider = institution.provider as Provider;
  const session = memorySession();
  const credential = await certificateCredential(demoCertificates.corporation);
  const [account] = provider in demoAccounts ? demoAccounts[provider as 'bank_a'] : [];
  const callOf = async (action: string, http = changedHttp((response) => response)) =>
    fakeCall({
      baseUrl: simulators.urls[provider],
      action,
      params,
      session,
      http,
      now: () => NOW,
      link: { credential, businessNumber: demoMembers.corporation.businessNumber },
      ...(account
        ? { account: { number: account.accountNo, password: account.accountPassword } }
        : {}),
    });
  const connect = async (action: string, http?: ReturnType<typeof changedHttp>) => {
    const call = await callOf(action, http);
    const result = await Promise.resolve(institution.connectors[action]?.(call)).catch(
      (error: unknown) => error,
    );
    return { call, result };
  };
  if (login !== undefined) await connect(`${provider}.${login}`);
  let number = 0;
  const http = changedHttp((response) => {
    number += 1;
    return at === 'each' || number === at ? change(response) : response;
  });
  const { call, result } = await connect(`${provider}.${name}`, http);
  if (result instanceof Error && !(result instanceof InstitutionError)) throw result;
  return {
    result: result as Performed['result'],
    requests: call.requests,
    presented: call.presented(),
  };
}

/** A login that failed may end with a logout. */
const sends = ({ method, path }: PortalRequest) => method === 'POST' && !path.includes('logout');

/** Without what differs between two runs: when it was asked. */
function steady(data: JsonObject): JsonObject {
  const { inquired_at: _, session_generation: __, source_url: ___, ...rest } = data;
  return rest;
}

describe.each(READS)('%# $provider %s meets pages that no simulator has', (...read) => {
  let plain: Performed;
  beforeAll(async () => {
    plain = await perform(read);
  });

  it.each(Object.entries(UNSEEN))(
    '%s: fails as an institution fails, or answers what is true',
    async (_, change) => {
      expect(plain.result).toMatchObject({ success: true });
      const truth = steady(plain.result as JsonObject);
      const logins = plain.requests.filter(sends).length;
      for (const at of new Set([
        1,
        2,
        Math.ceil(plain.requests.length / 2),
        plain.requests.length,
      ])) {
        const { result, requests, presented } = await perform(read, change, at);
        if (!(result instanceof InstitutionError)) expect(steady(result)).toEqual(truth);
        expect(presented).toBeLessThanOrEqual(1);
        expect(requests.filter(sends).length).toBeLessThanOrEqual(logins);
      }
    },
  );

  it.runIf(read[3])('a login page in place of any other: its session has ended', async () => {
    for (let at = 1; at <= plain.requests.length; at += 1) {
      const { result } = await perform(read, UNSEEN['a login page'], at);
      expect(result).toMatchObject({ code: 'PROVIDER_SESSION_EXPIRED' });
    }
  });

  it.each(['euc-kr', 'MS949', 'ks_c_5601-1987'])('in %s it reads the same', async (name) => {
    const inKorean: Change = (response) => {
      if (!response.contentType?.startsWith('text/html')) return response;
      const text = response.text().replace(/<meta[^>]*charset[^>]*>/gi, '');
      const bytes = iconv.encode(text, 'cp949');
      const contentType = `text/html; charset=${name}`;
      return { ...response, contentType, bytes, text: () => decodeText(bytes, contentType) };
    };
    const { result } = await perform(read, inKorean, 'each');
    if (result instanceof InstitutionError) throw result;
    expect(steady(result)).toEqual(steady(plain.result as JsonObject));
  });
});
