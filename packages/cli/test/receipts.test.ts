import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fetch } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type RealTestServer,
  startRealTestServer,
} from '../../server/test/support/real-test-server.ts';
import { type TestHome, testHome } from './support/run.ts';

let real: RealTestServer;
let home: TestHome;
beforeAll(async () => {
  real = await startRealTestServer();
  const { client_id, client_secret } = real.server.client;
  home = await testHome({
    CHANGGU_BASE_URL: real.server.url,
    CHANGGU_CLIENT_ID: client_id,
    CHANGGU_CLIENT_SECRET: client_secret,
    CHANGGU_ENV_SCOPE: 'real_test',
  });
  await real.client.jobs.run({ action: 'tax_portal.s1.login' });
  for (let n = 0; n < 3; n += 1)
    await real.client.jobs.run({ action: 'tax_portal.c1.vat_standard' });
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  await real[Symbol.asyncDispose]();
});

const json = async (...argv: string[]) => JSON.parse((await home.run([...argv, '--json'])).stdout);
const files = async () =>
  (await readdir(join(home.dir, 'receipts')))
    .filter((name) => name.endsWith('.jws'))
    .map((name) => `receipts/${name}`);

describe('receipts', () => {
  it('are a field of the result that can be asked for', async () => {
    const [{ job_id: id }] = await json('receipts', 'list');
    const { receipt } = await json('jobs', 'result', id, '--json=receipt');
    expect(typeof receipt).toBe('string');
  });

  it('are downloaded once, with the keys, and verified offline', async () => {
    expect(await json('receipts', 'list')).toMatchObject([
      { number: 1, status: 'SUCCEEDED', had_effect: 'yes' },
      { number: 2 },
      { number: 3 },
    ]);
    expect(await json('receipts', 'download', '--to', 'receipts')).toHaveLength(3);
    expect(await json('receipts', 'download', '--to', 'receipts')).toEqual([]);
    const offline = { env: { CHANGGU_BASE_URL: 'http://127.0.0.1:1' } };
    const ran = await home.run(['receipts', 'verify', ...(await files()), '--json'], offline);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject([
      { fault: null, number: 1 },
      { fault: null, number: 2 },
      { fault: null, number: 3 },
    ]);
  });

  it('name the file that is missing, not the keys that would be beside it', async () => {
    const { code, stderr } = await home.run(['receipts', 'verify', 'none/one.jws']);
    expect(code).toBe(2);
    expect(stderr).toContain('none/one.jws');
  });

  it('show which number is missing, and which file was changed', async () => {
    const [first = '', second = '', third = ''] = await files();
    await rm(join(home.dir, second));
    const missing = await home.run(['receipts', 'verify', first, third, '--lang', 'en']);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('real_test 2') });
    const { error } = JSON.parse(
      (await home.run(['receipts', 'verify', first, third, '--json'])).stderr,
    );
    expect(error.missing).toMatchObject([{ env_scope: 'real_test', from: 2, to: 2 }]);
    const text = await readFile(join(home.dir, first), 'utf8');
    await writeFile(join(home.dir, first), text.replace(/\.[^.]+\.(?=[^.]+$)/, '.e30.'));
    const changed = await home.run(['receipts', 'verify', first, '--json']);
    expect(changed.code).toBe(1);
    expect(JSON.parse(changed.stdout)).toMatchObject([{ fault: 'malformed' }]);
  });
});

describe('events tail', () => {
  it('writes a line of JSON each, continues after Ctrl-C, and leaves nothing out', async () => {
    const argv = ['events', 'tail', '--type', 'job.finished', '--since', '1h', '-o', 'json'];
    const first = await tailUntil(argv, 4);
    expect(first.map(({ type }) => type)).toEqual(Array(4).fill('job.finished'));
    const [begun] = first;
    const rest = await tailUntil(
      [...argv.slice(0, 4), '--after', begun?.event_id ?? '', '-o', 'json'],
      3,
    );
    expect(rest).toEqual(first.slice(1));
  });

  it('ends after --timeout with 8, and prints the typed command that continues (D151)', async () => {
    const argv = ['events', 'tail', '--type', 'job.finished', '--since', '1h', '--timeout', '1s'];
    const ran = await home.run([...argv, '-o', 'tsv', '--lang', 'en']);
    expect(ran.code).toBe(8);
    const last = ran.stdout.trim().split('\n').at(-1)?.split('\t').at(-1);
    const next = 'changgu events tail --type job.finished --timeout 1s -o tsv --lang en';
    expect(ran.stderr).toBe(
      `Error: Timed out after 1 s. To continue from here:\n  ${next} --after ${last}\n`,
    );
  });

  it.each([
    ['nothing came', '', ''],
    ['only older ones came', `evt_${'0'.repeat(25)}1`, ` --after evt_${'0'.repeat(25)}1`],
  ])('where %s, continues from the time that was typed (D151)', async (_, eventId, after) => {
    const { baseUrl, clock } = new FakeService();
    const event = {
      event_id: eventId,
      type: 'job.finished',
      occurred_at: '2026-11-20T10:00:00.000+09:00',
      subject: {},
    };
    const old = eventId && `id: ${eventId}\ndata: ${JSON.stringify(event)}\n\n`;
    const frames = new TextEncoder().encode(`id: evt_${'0'.repeat(26)}\n\n${old}`);
    const fetch: Fetch = async (_, init) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(frames);
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    };
    const argv = ['events', 'tail', '--since', '2026-11-21', '--timeout', '5s', '--lang', 'en'];
    const options = { env: { CHANGGU_BASE_URL: baseUrl }, fetch, clock };
    const ran = await clock.runUntil(home.run(argv, options));
    const since = '--since 2026-11-21T00:00:00.000+09:00';
    expect(ran).toMatchObject({ code: 8, stdout: '' });
    expect(ran.stderr).toContain(
      `\n  changgu events tail --timeout 5s --lang en ${since}${after}\n`,
    );
  });

  it('names the command that continues also in the line of JSON (D151)', async () => {
    const argv = ['events', 'tail', '--type', 'job.finished', '--since', '1h', '--json'];
    const ran = await home.run(argv, { onStdout: (_, signal) => signal('SIGINT') });
    const { error } = JSON.parse(ran.stderr);
    expect(error).toMatchObject({ code: 'INTERRUPTED', exit_code: 130 });
    expect(error.resume).toMatch(
      /^changgu events tail --type job\.finished --json.* --after evt_\w+$/,
    );
    expect(error.hints).toEqual([error.resume]);
  });

  it('says that it connected where it could not at first', async () => {
    const { baseUrl, clock } = new FakeService();
    let attempts = 0;
    const fetch: Fetch = async () => {
      attempts += 1;
      if (attempts === 1) throw new TypeError('fetch failed');
      const headers = { 'content-type': 'text/event-stream' };
      return new Response(`id: evt_${'0'.repeat(26)}\n\n`, { headers });
    };
    const argv = ['events', 'tail', '--timeout', '1m', '--lang', 'en'];
    const ran = await clock.runUntil(
      home.run(argv, {
        env: { CHANGGU_BASE_URL: baseUrl },
        fetch,
        clock,
        onStderr: (text, signal) => {
          if (text.includes('Connected')) signal('SIGINT');
        },
      }),
    );
    expect(ran.code).toBe(130);
    expect(ran.stderr).toMatch(/connect to the service yet; trying again\.\nConnected\.\n/);
  });

  async function tailUntil(argv: string[], lines: number) {
    const read: { event_id: string; type: string }[] = [];
    const ran = await home.run(argv, {
      onStdout: (text, signal) => {
        read.push(
          ...text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
        );
        if (read.length >= lines) signal('SIGINT');
      },
    });
    expect(ran.code).toBe(130);
    return read;
  }
});
