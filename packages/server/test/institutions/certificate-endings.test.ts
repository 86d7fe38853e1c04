import { demoCertificates, type Simulators, startSimulators } from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOutcome } from '../../src/engine/failure-outcome.ts';
import { InstitutionError } from '../../src/institutions/institution-error.ts';
import { taxPortal } from '../../src/institutions/tax-portal/tax-portal.ts';
import {
  type ChangeAnswer,
  changedHttp,
  withText,
} from '../../src/institutions/testing/changed-http.ts';
import { certificateCredential, fakeCall } from '../../src/institutions/testing/fake-call.ts';
import { type Walk, walk } from '../../src/institutions/testing/portal-walk.ts';

const LOGIN = 'tax_portal.s1.login';
const ISSUE = 'tax_portal.c1.vat_standard';
const LIST = 'tax_portal.c1.certificates_list';
const PRINT = 'tax_portal.c1.certificate_print';
const SUBMIT_PATH = '/certificates/submit';
const PRINT_PATH = '/certificates/print';

let simulators: Simulators;
let change: ChangeAnswer;
let portal: Walk;
let paths: string[];
beforeAll(async () => {
  simulators = await startSimulators({ now: Date.now });
  const credential = await certificateCredential(demoCertificates.corporation);
  const http = changedHttp((response, request) => {
    paths.push(pathOf(response, request));
    return change(response, request);
  });
  paths = [];
  change = (response) => response;
  portal = walk({ simulators, institution: taxPortal, link: { credential }, now: Date.now, http });
  await portal.run(LOGIN);
});
afterAll(() => simulators.close());

const pathOf: (...seen: Parameters<ChangeAnswer>) => string = ({ url }, { path }) =>
  new URL(path, url).pathname;

/** The portal answers like this at one path, after it did what it was asked. */
async function answering<Result>(
  path: string,
  html: string,
  act: () => Promise<Result>,
): Promise<Result> {
  paths.length = 0;
  change = (response, request) =>
    pathOf(response, request) === path ? withText(response, html) : response;
  try {
    return await act();
  } finally {
    change = (response) => response;
  }
}

const messagePage = (text: string, code: string) =>
  `<!DOCTYPE html><html><body><div id="content"><div id="alertMessage">${text}</div><span class="err_cd">${code}</span></div></body></html>`;
const prints = () => paths.filter((path) => path === PRINT_PATH).length;

async function total(): Promise<number> {
  return Number((await portal.run(LIST)).data.total_count);
}

describe('a certificate that cannot be printed', () => {
  it.each([
    ['a page that is not a document', '<!DOCTYPE html><html><body><p>가나다</p></body></html>'],
    ['a sentence of the portal', messagePage('출력할 수 없습니다.', 'T2001')],
  ])('is issued without a file, and says so: %s', async (_, html) => {
    const before = await total();
    const { data, call } = await answering(PRINT_PATH, html, () => portal.run(ISSUE));
    expect(data).toMatchObject({ success: true, status: '발급완료', document_attached: false });
    expect(call.files).toEqual([]);
    expect(prints()).toBe(3);
    expect(paths.filter((path) => path === SUBMIT_PATH)).toHaveLength(1);
    expect(await total()).toBe(before + 1);
    const again = await portal.run(PRINT, { issue_no: data.issue_no });
    expect(again.call.files).toMatchObject([{ extension: 'pdf', contentType: 'application/pdf' }]);
    expect(await total()).toBe(before + 1);
  });
});

/** A certificate, by a job that has `leftMs` when it begins; the portal takes `answerMs` for each print-out. */
async function issueIn(leftMs: number, answerMs: number, print: ChangeAnswer) {
  paths.length = 0;
  let spent = 0;
  const engine = new AbortController();
  const http = changedHttp((response, request) => {
    if (pathOf(response, request) !== PRINT_PATH) return response;
    paths.push(PRINT_PATH);
    spent += answerMs;
    if (call.timeLeft() <= 0) engine.abort(new Error('the engine has stopped the job'));
    return print(response, request);
  });
  const call = await fakeCall({
    baseUrl: simulators.urls.tax_portal,
    action: ISSUE,
    session: portal.session,
    link: { credential: await certificateCredential(demoCertificates.corporation) },
    http,
    signal: engine.signal,
    timeLeft: () => leftMs - spent - call.pauses.reduce((sum, ms) => sum + ms, 0),
  });
  const data = await taxPortal.connectors[ISSUE]?.(call);
  engine.signal.throwIfAborted();
  return { call, data };
}

describe('a certificate whose print-out takes long', () => {
  const wait = `<!DOCTYPE html><html><head><meta http-equiv="refresh" content="10;url=${PRINT_PATH}"></head><body><p>잠시만 기다려 주십시오.</p></body></html>`;
  const refusing =
    (seconds: string): ChangeAnswer =>
    (response) => ({
      ...withText(response, '<!DOCTYPE html><html><body><p>429</p></body></html>'),
      status: 429,
      header: (name) => (name === 'retry-after' ? seconds : null),
    });
  const silent: ChangeAnswer = () => {
    throw new InstitutionError('PROVIDER_UPSTREAM_ERROR');
  };

  it.each<[string, number, ChangeAnswer]>([
    ['it is refused for a minute each time', 1_000, refusing('60')],
    ['it is refused for 20 s each time', 1_000, refusing('20')],
    ['the portal asks to wait', 1_000, (response) => withText(response, wait)],
    ['the portal asks to wait, slowly', 29_000, (response) => withText(response, wait)],
    ['the portal does not answer', 30_000, silent],
  ])('is issued without a file before the job runs out of time: %s (D03)', async (_, ms, print) => {
    for (const leftMs of [170_000, 60_000]) {
      const { call, data } = await issueIn(leftMs, ms, print);
      expect(data).toMatchObject({ issue_no: expect.any(String), document_attached: false });
      expect(call.files).toEqual([]);
      expect(call.timeLeft()).toBeGreaterThanOrEqual(10_000);
      expect(prints()).toBeGreaterThan(0);
    }
  });

  it('is issued with a file when the portal asks for a wait that the job has', async () => {
    const { call, data } = await issueIn(170_000, 1_000, (response, request) =>
      prints() === 1 ? refusing('60')(response, request) : response,
    );
    expect(data).toMatchObject({ document_attached: true });
    expect(call.files).toHaveLength(1);
  });

  it('is not printed by a job that has hardly any time left', async () => {
    const { data } = await issueIn(20_000, 1_000, (response) => response);
    expect(data).toMatchObject({ issue_no: expect.any(String), document_attached: false });
    expect(prints()).toBe(0);
  });

  it('is not asked for again by a job whose portal wants to be left alone (D156)', async () => {
    const { data } = await issueIn(170_000, 1_000, refusing('600'));
    expect(data).toMatchObject({ document_attached: false });
    expect(prints()).toBe(1);
  });
});

/** How the job ends when the portal answers the application with a sentence. */
async function endingOf(text: string, code: string) {
  const failure = await answering(SUBMIT_PATH, messagePage(text, code), () =>
    portal.run(ISSUE).catch((error: unknown) => error),
  );
  expect(paths.at(-1)).toBe(SUBMIT_PATH);
  const outcome = failureOutcome(failure, { irreversible: true, pastPoint: true });
  return JSON.parse(outcome?.error ?? 'null');
}

describe('a sentence of the portal after the application was sent', () => {
  it.each(['T1001', 'T1002', 'T1003', 'T1004', 'T1005', 'T1006'])(
    'is a refusal where its number says so: %s (D165)',
    async (code) => {
      expect(await endingOf('신청할 수 없습니다.', code)).toMatchObject({
        code: 'PROVIDER_VALIDATION_ERROR',
        retryable: false,
      });
    },
  );

  it.each([
    ['이미 처리되었거나 유효하지 않은 신청입니다.', 'T1007'],
    ['신청할 수 없습니다.', 'T1008'],
    ['신청할 수 없습니다.', 'T9999'],
    ['신청할 수 없습니다.', ''],
    ['수량은 1부터 10까지 입력하여 주십시오.', ''],
    ['비밀번호가 일치하지 않습니다.', ''],
    ['로그인이 필요한 서비스입니다.', 'S0001'],
    ['시스템 점검 중입니다.', ''],
  ])('leaves open whether it took effect otherwise: %s %s (D165)', async (text, code) => {
    const before = await total();
    expect(await endingOf(text, code)).toMatchObject({
      code: 'PROVIDER_OUTCOME_UNCONFIRMED',
      retryable: false,
    });
    expect(await total()).toBe(before + 1);
  });
});
