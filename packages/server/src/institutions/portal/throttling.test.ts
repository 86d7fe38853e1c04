import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeCall, fakeCall } from '../testing/fake-call.ts';
import { readForm } from './form.ts';
import { messageIn, openPortal, type PortalFace } from './portal.ts';

const NOW = Date.parse('2026-11-21T12:00:00+09:00');
const face: PortalFace = {
  provider: 'bank_a',
  message: (page) => messageIn(page, 'body > .error', 'body > .code'),
};
const html = (body: string) => `<html><body>${body}</body></html>`;

type Answer = (response: ServerResponse) => void;
const refused =
  (headers: Record<string, string>): Answer =>
  (response) =>
    response.writeHead(429, { 'content-type': 'text/html', ...headers }).end(html('429'));
const unavailable =
  (headers: Record<string, string>, body = ''): Answer =>
  (response) =>
    response
      .writeHead(503, { 'content-type': 'text/html; charset=utf-8', ...headers })
      .end(html(body));
const page =
  (body: string): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html(body));
const FINE = page('<p id="data">1</p>');

const dated = (clock: number, ms: number) => ({
  date: new Date(clock).toUTCString(),
  'retry-after': new Date(clock + ms).toUTCString(),
});

let close = () => {};
afterEach(() => close());

/** A portal with these answers, one after the other; the last one stays. */
function portalWith(...answers: Answer[]) {
  return portalInTime(120_000, ...answers);
}

async function portalInTime(
  timeLeft: number,
  ...answers: Answer[]
): Promise<{ call: FakeCall; asked: () => number }> {
  let asked = 0;
  const server = createServer((_, response) => {
    answers[Math.min(asked, answers.length - 1)]?.(response);
    asked += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = await fakeCall({
    baseUrl,
    action: 'bank_a.accounts.list',
    now: () => NOW,
    timeLeft: () => timeLeft,
  });
  return { call, asked: () => asked };
}

describe('a portal that was asked too often', () => {
  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date, by a clock that is ahead', dated(NOW + 540_000, 12_000), 12_000],
    ['a date, without its own clock', { ...dated(NOW, 12_000), date: 'now' }, 12_000],
    ['a moment that has passed', { 'retry-after': '0' }, 1_000],
    ['nothing', {}, 3_000],
    ['nonsense', { 'retry-after': 'soon' }, 3_000],
  ])('is left alone as long as it says: %s', async (_, headers, waited) => {
    const { call, asked } = await portalWith(refused(headers), FINE);
    await openPortal(call, face).get('/');
    expect(call.pauses).toEqual([waited]);
    expect(asked()).toBe(2);
  });

  it.each([
    '단시간에 너무 많은 요청을 보내셨습니다. 잠시 후 다시 이용하여 주십시오.',
    '요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.',
  ])('may say so with status 200: %s', async (text) => {
    const { call } = await portalWith(page(`<p class="error">${text}</p>`), FINE);
    await openPortal(call, face).get('/');
    expect(call.pauses).toEqual([3_000]);
  });

  it('is not asked a fourth time', async () => {
    const { call, asked } = await portalWith(refused({ 'retry-after': '1' }));
    const failure = openPortal(call, face).get('/');
    await expect(failure).rejects.toMatchObject({
      code: 'PROVIDER_UPSTREAM_ERROR',
      details: { upstreamStatus: 429 },
    });
    expect(asked()).toBe(4);
  });

  it.each([
    ['429', refused({ 'retry-after': '3600' }), 429],
    ['503', unavailable({ 'retry-after': '3600' }), 503],
  ])(
    'that wants to be left alone for long with %s is left alone by the next jobs',
    async (_, answer, status) => {
      const { call, asked } = await portalWith(answer);
      await expect(openPortal(call, face).get('/')).rejects.toMatchObject({
        details: { upstreamStatus: status, leaveAloneMs: 3_600_000, transient: false },
      });
      expect([asked(), call.pauses]).toEqual([1, []]);
    },
  );

  it('is left alone by the next jobs when this one has no time to wait (D156)', async () => {
    const { call, asked } = await portalInTime(69_000, refused({ 'retry-after': '60' }), FINE);
    await expect(openPortal(call, face).get('/')).rejects.toMatchObject({
      details: { upstreamStatus: 429, leaveAloneMs: 60_000 },
    });
    expect([asked(), call.pauses]).toEqual([1, []]);
  });

  it('is left alone by the next jobs too after it has refused four times', async () => {
    const { call } = await portalWith(refused({ 'retry-after': '30' }));
    await expect(openPortal(call, face).get('/')).rejects.toMatchObject({
      details: { leaveAloneMs: 30_000 },
    });
  });

  it.each([
    ['a refusal without a time', refused({})],
    ['a fault without a time', unavailable({})],
    ['a fault with a time that cannot be read', unavailable({ 'retry-after': 'soon' })],
  ])('delays no other job after %s', async (_, answer) => {
    const { call } = await portalWith(answer);
    const failure = await openPortal(call, face)
      .get('/')
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
    expect(failure).not.toHaveProperty('details.leaveAloneMs');
  });

  it('may say so in its maintenance notice, and is asked again after a short one', async () => {
    const { call } = await portalWith(unavailable({ 'retry-after': '20' }, '시스템 점검'), FINE);
    await openPortal(call, face).get('/');
    expect(call.pauses).toEqual([20_000]);
    close();
    const long = await portalWith(unavailable({ 'retry-after': '1800' }, '시스템 점검'));
    await expect(openPortal(long.call, face).get('/')).rejects.toMatchObject({
      code: 'PROVIDER_MAINTENANCE',
      details: { leaveAloneMs: 1_800_000 },
    });
  });

  it('is not sent a credential again, nor a form that takes effect (D165)', async () => {
    const form = page('<form id="f" method="post" action="/in"><input name="pw"></form>');
    const login = await portalWith(form, refused({ 'retry-after': '90' }));
    const portal = openPortal(login.call, face);
    const sent = readForm(await portal.get('/'), '#f');
    await expect(portal.logIn(sent, { pw: 'x' }, () => true)).rejects.toMatchObject({
      code: 'PROVIDER_UPSTREAM_ERROR',
      details: { leaveAloneMs: 90_000 },
    });
    expect([login.asked(), login.call.isUnclear()]).toEqual([2, true]);
    close();
    const issue = await portalWith(form, refused({ 'retry-after': '1' }));
    const other = openPortal(issue.call, face);
    const commit = other.commit(readForm(await other.get('/'), '#f'), {});
    await expect(commit).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
    expect(issue.asked()).toBe(2);
  });
});
