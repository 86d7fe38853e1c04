import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InstitutionError } from '../institution-error.ts';
import {
  type FakeCall,
  fakeCall,
  memorySession,
  passwordCredential,
} from '../testing/fake-call.ts';
import { loggedIn } from './logged-in.ts';
import { cell, type PortalPage, required, tableRows, textOf } from './page.ts';
import { readPages } from './pager.ts';
import { messageIn, openPortal, type PortalFace } from './portal.ts';
import { logInByPassword } from './portal-login.ts';
import { printedCount, printedDay, printedWon } from './printed-values.ts';

/**
 * A portal as none of the simulated ones is: EUC-KR, a login that passes through two other hosts with cookies of their
 * own, amounts with triangles, days without zeros.
 */
const COLUMNS = ['거래일', '내용', '금액'];
const ROWS = [
  ['2026.11.3', '급여', '1,200,000원'],
  ['2026.11.9', '보험료', '△35,000원'],
  ['2026.11.10', '이자', '12원'],
];
const READ = [
  { day: '20261103', won: 1_200_000 },
  { day: '20261109', won: -35_000 },
  { day: '20261110', won: 12 },
];
const LOGIN = '<form id="in" method="post" action="/in"><input name="id"><input name="pw"></form>';

const face: PortalFace = {
  provider: 'bank_a',
  message: (page) => messageIn(page, 'body > .error', 'body > .code'),
  loginForm: '#in',
};

/** What one of the requests is answered instead. */
type Instead = (number: number) => string | null;

let portal: Server;
let partner: Server;
let posts: number;
let seen: string[];
let instead: Instead;

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const portalUrl = () => `http://127.0.0.1:${portOf(portal)}`;
/** Another host: cookies of one must not reach the other. */
const partnerUrl = () => `http://localhost:${portOf(partner)}`;

function show(response: ServerResponse, body: string): void {
  response.setHeader('content-type', 'text/html; charset=ks_c_5601-1987');
  response.end(iconv.encode(`<html lang="ko"><body>${body}</body></html>`, 'cp949'));
}

function to(response: ServerResponse, location: string, cookie: string): void {
  response.writeHead(302, { location, 'set-cookie': cookie }).end();
}

function listPage(number: number): string {
  const [row = []] = ROWS.slice(number - 1, number);
  const head = COLUMNS.map((title) => `<th>${title}</th>`).join('');
  const cells = row.map((text) => `<td>${text}</td>`).join('');
  return `<p id="total">${ROWS.length}건</p><table id="rows"><thead><tr>${head}</tr></thead><tbody><tr>${cells}</tr></tbody></table>`;
}

function answerPortal({ url = '/', method, headers }: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(url, 'http://x');
  seen.push(`portal ${headers.cookie ?? ''}`);
  if (method === 'POST') {
    posts += 1;
    return to(response, `${partnerUrl()}/check?ticket=1`, 'JSESSIONID=a; Path=/; HttpOnly');
  }
  if (pathname === '/login') return show(response, LOGIN);
  if (pathname === '/bare') return void response.writeHead(401).end();
  if (pathname === '/broken') {
    return void response.writeHead(502, { 'set-cookie': 'turn=2; Path=/' }).end();
  }
  if (pathname === '/back') return to(response, '/rows?p=1', 'member=1; Path=/');
  if (!headers.cookie?.includes('member=1')) return show(response, LOGIN);
  const number = Number(searchParams.get('p'));
  return show(response, instead(number) ?? listPage(number));
}

beforeEach(async () => {
  [posts, seen, instead] = [0, [], () => null];
  portal = createServer((request, response) => answerPortal(request, response));
  partner = createServer(({ url, headers }, response) => {
    seen.push(`partner ${headers.cookie ?? ''}`);
    if (url?.startsWith('/check')) return to(response, '/done', 'sso=b; Path=/');
    return to(response, `${portalUrl()}/back?ticket=2`, 'sso2=c; Path=/');
  });
  await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => partner.listen(0, 'localhost', resolve));
});
afterEach(() => {
  for (const server of [portal, partner]) {
    server.closeAllConnections();
    server.close();
  }
});

const rowsOf = (page: PortalPage) =>
  tableRows(page, '#rows', COLUMNS).map((row) => ({
    day: printedDay(cell(row, 0)),
    won: printedWon(cell(row, 2)),
  }));
const totalOf = (page: PortalPage) => printedCount(textOf(required(page, '#total')));

async function newCall(): Promise<FakeCall> {
  return fakeCall({
    baseUrl: portalUrl(),
    action: 'bank_a.accounts.list',
    link: { credential: passwordCredential('kim', 'pass-of-kim') },
    site: { origins: () => [partnerUrl()] },
    session: memorySession(),
  });
}

async function read(call: FakeCall) {
  const entrance = openPortal(call, face);
  const credential = call.link?.credential;
  if (credential?.type !== 'id_password') throw new Error('no password');
  const names = { form: '#in', id: 'id', password: 'pw' };
  const login = await entrance.get('/login');
  await logInByPassword(entrance, login, names, credential, rowsOf);
  await call.session.save({ cookies: entrance.cookies() });
  return loggedIn(call, face, async (inside) => {
    const first = await inside.get('/rows', { p: '1' });
    const next = (_: PortalPage, number: number) => inside.get('/rows', { p: String(number) });
    return readPages(call, { first, total: totalOf(first), totalOf, rowsOf, next });
  });
}

describe('a portal that no simulator is like', () => {
  it('is read as it is printed, and each host keeps its own cookies', async () => {
    expect(await read(await newCall())).toEqual(READ);
    expect(posts).toBe(1);
    expect(seen.filter((each) => each.startsWith('partner'))).toEqual([
      'partner ',
      'partner sso=b',
    ]);
    expect(seen.join('\n')).not.toMatch(/portal .*sso/);
    expect(seen.at(-1)).toBe('portal JSESSIONID=a; member=1');
  });

  it.each([
    ['its login page in the middle of the list', LOGIN, 'PROVIDER_SESSION_EXPIRED'],
    [
      'maintenance with status 200',
      '<div><h2>시스템 점검 중입니다.</h2></div>',
      'PROVIDER_MAINTENANCE',
    ],
    ['a list without rows', listPage(9).replace('<tr></tr>', ''), 'PROVIDER_UPSTREAM_ERROR'],
    ['a column twice', listPage(2).replace('내용', '거래일'), 'PROVIDER_UPSTREAM_ERROR'],
    ['a row less than promised', '<p id="total">2건</p>', 'PROVIDER_UPSTREAM_ERROR'],
    [
      'a day that is none',
      listPage(2).replace('2026.11.9', '2026.11.31'),
      'PROVIDER_UPSTREAM_ERROR',
    ],
    ['half an amount', listPage(2).replace('35,000', '35,00'), 'PROVIDER_UPSTREAM_ERROR'],
  ])('%s: fails, and the password is not sent again', async (_, body, code) => {
    const call = await newCall();
    instead = (number) => (number === 2 ? body : null);
    await expect(read(call)).rejects.toMatchObject({ name: 'InstitutionError', code });
    expect([posts, call.presented()]).toEqual([1, 1]);
    // Only where the session is over is it forgotten.
    expect((await call.session.load()) === null).toBe(code === 'PROVIDER_SESSION_EXPIRED');
  });

  it('that logs out by itself after ten minutes is read, and one that soon shows more is waited for', async () => {
    const call = await newCall();
    const refresh = (content: string) => `<meta http-equiv="Refresh" content="${content}">`;
    const waiting = `<noscript>${refresh('0;url=/out')}</noscript>${refresh("3; URL='/rows?p=30'")}`;
    const pages = new Map([
      [1, refresh('600;url=/out') + listPage(1)],
      [2, `<noscript>${refresh('0;url=/out')}</noscript>${listPage(2)}`],
      [3, waiting],
      [30, listPage(3)],
    ]);
    instead = (number) => pages.get(number) ?? null;
    expect(await read(call)).toEqual(READ);
    expect(call.pauses).toEqual([3_000]);
  });

  it.each([
    ['a list', '<h1>내역</h1><ul><li><span>엘리베이터 점검작업</span></li></ul>', true],
    ['many parts', `<div>${'<p>발달장애 입금</p>'.repeat(9)}</div>`, true],
    ['a notice', '<div><h1>안내</h1><p>시스템 점검작업 중입니다.</p></div>', false],
  ])('may say anything in %s, where it is no notice', async (_, body, isData) => {
    const call = await newCall();
    await read(call);
    instead = () => body;
    const page = loggedIn(call, face, (inside) => inside.get('/rows', { p: '1' }));
    const code = await page.then(
      () => null,
      (error: unknown) => (error instanceof InstitutionError ? error.code : error),
    );
    expect(code).toBe(isData ? null : 'PROVIDER_MAINTENANCE');
  });

  it('that answers a bare 401 has ended the session, and it is forgotten', async () => {
    const call = await newCall();
    await read(call);
    const failure = loggedIn(call, face, (inside) => inside.download('/bare'));
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_SESSION_EXPIRED' });
    expect(await call.session.load()).toBeNull();
  });

  it('that renews its cookies in an answer that fails is shown the new ones', async () => {
    const call = await newCall();
    await read(call);
    const failure = loggedIn(call, face, (inside) => inside.get('/broken'));
    await expect(failure).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
    await loggedIn(call, face, (inside) => inside.get('/rows', { p: '1' }));
    expect(seen.at(-1)).toBe('portal JSESSIONID=a; member=1; turn=2');
  });

  it('keeps what the work has saved or deleted when it fails', async () => {
    const call = await newCall();
    await read(call);
    const renewing = loggedIn(call, face, async (inside, state) => {
      await call.session.save({ ...state, token: 'renewed' });
      return inside.get('/broken');
    });
    await expect(renewing).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
    expect(await call.session.load()).toMatchObject({ token: 'renewed' });
    const leaving = loggedIn(call, face, async () => {
      await call.session.clear();
      throw new InstitutionError('AUTH_REQUIRED');
    });
    await expect(leaving).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(await call.session.load()).toBeNull();
  });

  it('may have a session without cookies', async () => {
    const call = await newCall();
    await call.session.save({ token: 'x' });
    const visit = await loggedIn(call, face, (inside) => inside.raw({ path: '/bare' }));
    expect(visit.status).toBe(401);
  });

  it('that answers the login with its login page again has accepted nothing', async () => {
    const call = await newCall();
    instead = () => LOGIN;
    await expect(read(call)).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
    expect([posts, call.isUnclear()]).toEqual([1, true]);
  });
});
