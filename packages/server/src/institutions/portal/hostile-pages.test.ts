import {
  demoAccounts,
  demoCertificates,
  demoMembers,
  type HostileKind,
  type Provider,
  type Simulators,
  startSimulators,
} from '@changgu/simulators';
import type { Element } from 'domhandler';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bankA } from '../banks/bank-a.ts';
import { bankB, bankBFace } from '../banks/bank-b.ts';
import { bankC } from '../banks/bank-c.ts';
import { bankD } from '../banks/bank-d.ts';
import type { InstitutionModule, JsonObject, PortalResponse } from '../connector.ts';
import { employment } from '../employment/employment.ts';
import { siEdi } from '../si-edi/si-edi.ts';
import { taxPortal } from '../tax-portal/tax-portal.ts';
import { certificateCredential, fakeCall, memorySession } from '../testing/fake-call.ts';
import { decodeText } from './charset.ts';
import { readForm } from './form.ts';
import { handlerArguments, parsePage, textOf } from './page.ts';
import { messageError } from './portal-message.ts';

const now = () => Date.parse('2026-11-21T12:00:00+09:00');
let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now });
});
afterAll(() => simulators.close());
afterEach(async () => {
  await fetch(`${simulators.controlUrl}/reset`, { method: 'POST' });
});

async function makeHostile(provider: string, kind: HostileKind): Promise<void> {
  const answer = await fetch(`${simulators.controlUrl}/${provider}/hostile`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind }),
  });
  expect(answer.ok).toBe(true);
}

/** One reading action of every institution; what needs a login logs in first. */
const ACTIONS: readonly [InstitutionModule, string, string?][] = [
  [employment, 'employment.auth.npki_session.login'],
  [siEdi, 'si_edi.b1.resources.faqs.list', 'si_edi.auth.session.login'],
  [siEdi, 'si_edi.b1.resources.notices.institutions.list', 'si_edi.auth.session.login'],
  [taxPortal, 'tax_portal.s1.user_info', 'tax_portal.s1.login'],
  [bankA, 'bank_a.accounts.list'],
  [bankB, 'bank_b.accounts.transaction_history.search'],
  [bankC, 'bank_c.accounts.transaction_history.search'],
  [bankD, 'bank_d.accounts.transaction_history.search'],
];

async function perform(
  { provider, connectors }: InstitutionModule,
  action: string,
  login: string | undefined,
  beforeAction: () => Promise<void>,
): Promise<JsonObject> {
  const session = memorySession();
  const credential = await certificateCredential(demoCertificates.corporation);
  const [account] = provider in demoAccounts ? demoAccounts[provider as 'bank_a'] : [];
  const callOf = (id: string) =>
    fakeCall({
      baseUrl: simulators.urls[provider as Provider],
      action: id,
      session,
      now,
      link: { credential, businessNumber: demoMembers.corporation.businessNumber },
      ...(account
        ? { account: { number: account.accountNo, password: account.accountPassword } }
        : {}),
    });
  if (login !== undefined) await connectors[login]?.(await callOf(login));
  await beforeAction();
  return (await connectors[action]?.(await callOf(action))) ?? {};
}

describe.each(ACTIONS)('%# %s against a hostile portal', (institution, action, login) => {
  it.each([
    'huge_body',
    'endless_body',
    'redirect_elsewhere',
    'malformed_html',
    'wrong_charset',
  ] satisfies HostileKind[])('%s: a typed error, in bounded memory', async (kind) => {
    const before = process.memoryUsage().rss;
    const failure = perform(institution, action, login, () =>
      makeHostile(institution.provider, kind),
    );
    await expect(failure).rejects.toMatchObject({
      name: 'InstitutionError',
      code: 'PROVIDER_UPSTREAM_ERROR',
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });

  it('script_in_fields: data, and nothing but data', async () => {
    const data = await perform(institution, action, login, () =>
      makeHostile(institution.provider, 'script_in_fields'),
    );
    const { detail: _, ...plain } = data;
    expect(JSON.stringify(plain)).not.toMatch(/document\.title|onerror/);
    expect(data).toMatchObject({ success: true });
  });
});

const BLANKS = ' '.repeat(30_000);
const STUTTER = '오류 횟수 '.repeat(100_000);

describe('pages made to hurt', () => {
  const page = (html: string): PortalResponse => ({
    status: 200,
    url: 'http://127.0.0.1/',
    contentType: 'text/html',
    header: () => null,
    bytes: Buffer.from(html),
    text: () => html,
  });

  const link = (onclick: string) =>
    parsePage(page(`<a onclick="${onclick}">x</a></html>`)).$<Element, string>('a');

  it('refuses a page of very many open elements', () => {
    const parse = () => parsePage(page(`${'<div>'.repeat(300_000)}</html>`));
    expect(processorMs(() => expect(parse).toThrow('PROVIDER_UPSTREAM_ERROR'))).toBeLessThan(5_000);
  });

  it('a page of more than two megabytes is not even parsed', () => {
    const html = `${' '.repeat(2 * 1024 * 1024)}</html>`;
    expect(() => parsePage(page(html))).toThrow('PROVIDER_UPSTREAM_ERROR');
  });

  it.each([
    ['a content type of white space', () => decodeText(Buffer.of(), `a/b;charset=${BLANKS};`)],
    [
      'a message that begins without end',
      () => messageError({ provider: 'x' }, { text: STUTTER, code: null }, 200, 'login'),
    ],
    ['a handler that never closes', () => handlerArguments(link(`f(`.repeat(200_000)), 'f')],
  ])('%s costs no time', (_, read) => {
    expect(processorMs(read)).toBeLessThan(500);
  });

  it.each(['http://[', 'https://elsewhere.test/', 'javascript:alert(1)'])(
    'D141 a page that leads to %s is broken',
    (target) => {
      const broken = parsePage(page(`<form id="f" action="${target}"></form></html>`));
      expect(() => readForm(broken, '#f')).toThrow('PROVIDER_UPSTREAM_ERROR');
    },
  );

  it('a path that looks like another host stays at the institution', () => {
    const form = parsePage(page('<form id="f" action="/.//evil.test/x#y"></form></html>'));
    expect(readForm(form, '#f').action).toBe('http://127.0.0.1//evil.test/x');
  });

  it('treats an alert that is not JSON as a broken page of bank B, and repeats nothing of it', () => {
    const alert = parsePage(page(`<div id="content"><script>alert("\\x41")</script></div></html>`));
    expect(() => bankBFace.message(alert)).toThrow('PROVIDER_UPSTREAM_ERROR');
  });

  it('text is what a person sees', () => {
    const { $ } = parsePage(
      page('<p>a<br>b <script>alert(1)</script><style>p{}</style>&lt;i&gt;</p></html>'),
    );
    expect(textOf($('p'))).toBe('a b <i>');
  });
});

/** Of this thread, in milliseconds: a busy machine takes longer and does no more. */
function processorMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
