import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../server/test/support/start-server.ts';
import { type RunningHttp, serveHttp } from '../src/serve-http.ts';
import { bridgeTo } from './support/bridge.ts';
import { connectHost, ERAS, type Host, type Place, type Reported } from './support/hosts.ts';

const TOKEN = 'token-of-the-test-host';
const CERTIFICATE = {
  service: 'tax_portal.c1.vat_standard',
  params: {},
};

let server: TestServer;
let http: RunningHttp;

beforeAll(async () => {
  server = await startTestServer({ env: { SANDBOX_DELAY_MS: '40' }, links: true });
  http = await serveHttp(await bridgeTo(server), { listen: '127.0.0.1:0', door: { token: TOKEN } });
});
afterAll(async () => {
  await http.close();
  await server[Symbol.asyncDispose]();
});

const PLACES = {
  http: (): Place => ({ url: http.url, token: TOKEN }),
  stdio: (): Place => stdioTo(server),
} as const;

function stdioTo({ url, client, dataDir }: TestServer): Place {
  return {
    env: {
      CHANGGU_BASE_URL: url,
      CHANGGU_CLIENT_ID: client.client_id,
      CHANGGU_CLIENT_SECRET: client.client_secret,
      CHANGGU_ENV_SCOPE: 'sandbox',
      CHANGGU_MCP_FILES_DIR: `${dataDir}/files`,
    },
  };
}

const CASES = ERAS.flatMap((era) =>
  (['http', 'stdio'] as const).map((transport) => ({ era, transport })),
);

describe.each(CASES)('$era over $transport', ({ era, transport }) => {
  let host: Host;
  /** Its person can be asked. */
  let askingHost: Host;
  let answer: 'accept' | 'decline' | 'fail' = 'decline';
  const questions: string[] = [];

  beforeAll(async () => {
    const ask = (message: string) => {
      questions.push(message);
      if (answer === 'fail') throw new Error('dialog closed');
      return answer;
    };
    [host, askingHost] = await Promise.all([
      connectHost(era, PLACES[transport]()),
      connectHost(era, PLACES[transport](), { answer: ask }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([host.close(), askingHost.close()]);
  });

  it('lists, calls, waits, and tells the job before it waits', async () => {
    expect(host.tools.map(({ name }) => name).slice(0, 2)).toEqual([
      'session_status',
      'login_help',
    ]);
    expect(host.instructions).toContain('session_status first');
    const reports: Reported[] = [];
    const shown = await host.call(
      'bank_b_transactions',
      { direction: 'in' },
      { onProgress: (report) => reports.push(report) },
    );
    expect(shown).toMatchObject({
      status: 'SUCCEEDED',
      service: 'bank_b.accounts.transaction_history.search',
      data: { mock: true, params_echo: { direction: 'in' } },
    });
    expect(reports[0]?.message).toContain(shown.job_id);
    const numbers = reports.map(({ progress }) => progress);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });

  it('asks again for a job that has not ended, and finds the job of a lost answer', async () => {
    const args = { request_id: `again-${era}-${transport}`, wait_seconds: 0 };
    const first = await host.call('bank_a_balance', args);
    const second = await host.call('bank_a_balance', args);
    expect(second).toMatchObject({ job_id: first.job_id, deduplicated: true });
    const ended = await host.call('job_result', { job_id: first.job_id });
    expect(ended).toMatchObject({ status: 'SUCCEEDED', job_id: first.job_id });
  });

  it('confirms an irreversible act in two steps where the host cannot ask', async () => {
    const { params } = CERTIFICATE;
    const first = await host.call('run_service', {
      ...CERTIFICATE,
      request_id: `two-${era}-${transport}`,
    });
    expect(first).toMatchObject({
      status: 'CONFIRMATION_REQUIRED',
      data: { summary: expect.stringContaining('되돌릴 수 없습니다') },
    });
    expect(first.job_id).toBeUndefined();
    const [{ tool, arguments: args }] = first.next;
    const forged = await host.raw(tool, { ...args, params: { ...params, copies: 2 } });
    expect(forged.structuredContent.error.code).toBe('CONFIRM_TOKEN_INVALID');
    const done = await host.call(tool, args);
    expect(done).toMatchObject({ status: 'SUCCEEDED' });
  });

  const canElicit = transport === 'stdio' || era.startsWith('2026');
  it.runIf(canElicit)('asks the person where the host can', async () => {
    const request = { ...CERTIFICATE, request_id: `ask-${era}-${transport}` };
    answer = 'decline';
    const declined = await askingHost.raw('run_service', request);
    expect(declined).toMatchObject({ isError: true, structuredContent: { status: 'DECLINED' } });
    expect(questions[0]).toContain('되돌릴 수 없습니다');
    answer = 'accept';
    expect(await askingHost.call('run_service', request)).toMatchObject({ status: 'SUCCEEDED' });
    expect(questions).toHaveLength(2);
  });

  // A host of 2026-07-28 asks on its own, and tells no one that it failed.
  it.runIf(transport === 'stdio' && era.startsWith('2025'))(
    'answers as ever where the host fails to ask, and submits nothing',
    async () => {
      const request = { ...CERTIFICATE, request_id: `fail-${era}-${transport}` };
      answer = 'fail';
      expect(await askingHost.call('run_service', request)).toMatchObject({
        status: 'REFUSED',
        as_of: expect.any(String),
        error: {
          code: 'CONFIRMATION_FAILED',
          message: 'The host could not ask the person. Nothing was submitted.',
          retryable: true,
          next_action: expect.stringContaining('Call again only if'),
          user_action: expect.stringContaining('명령줄'),
        },
      });
      answer = 'accept';
      expect(await askingHost.call('run_service', request)).not.toHaveProperty('deduplicated');
    },
  );

  it('ends the wait and not the job when the host gives up', async () => {
    const request_id = `gone-${era}-${transport}`;
    const stop = new AbortController();
    const reports: Reported[] = [];
    const call = host.raw(
      'bank_c_transactions',
      { request_id },
      {
        signal: stop.signal,
        onProgress: (report) => {
          reports.push(report);
          stop.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    const again = await host.call('bank_c_transactions', { request_id });
    expect(again).toMatchObject({ status: 'SUCCEEDED', deduplicated: true });
    expect(reports[0]?.message).toContain(again.job_id);
  });

  it('says what is wrong with arguments, and refuses unknown tools by the protocol', async () => {
    const wrong = await host.raw('bank_b_transactions', { direction: 'sideways' });
    expect(wrong).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'INVALID_ARGUMENTS', next_action: expect.any(String) } },
    });
    await expect(host.raw('no_such_tool')).rejects.toMatchObject({ code: -32602 });
  });
});

describe('a host that gives up by its own clock', () => {
  let slow: TestServer;
  beforeAll(async () => {
    slow = await startTestServer({ env: { SANDBOX_DELAY_MS: '1500' }, links: true });
  });
  afterAll(() => slow[Symbol.asyncDispose]());

  it('finds the one job of its call again, and its end, in every era and over both transports', async () => {
    const door = await serveHttp(await bridgeTo(slow), {
      listen: '127.0.0.1:0',
      door: { token: TOKEN },
    });
    const places = { http: { url: door.url, token: TOKEN }, stdio: stdioTo(slow) };
    const ids = await Promise.all(
      CASES.map(async ({ era, transport }) => {
        const host = await connectHost(era, places[transport]);
        const args = { request_id: `late-${era}-${transport}` };
        const call = host.raw('bank_a_balance', args, { timeoutMs: 1000 });
        await expect(call).rejects.toThrow(/timed? ?out/i);
        const again = await host.call('bank_a_balance', args);
        expect(again).toMatchObject({ status: 'SUCCEEDED' });
        await host.close();
        return again.job_id;
      }),
    );
    const { body } = await slow.call('GET', '/v1/jobs?limit=100');
    const made: string[] = body.items.map(({ job_id }: { job_id: string }) => job_id);
    expect(made).toHaveLength(ids.length);
    expect(new Set(made)).toEqual(new Set(ids));
    await door.close();
  });
});
