import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DevProcess, startDevProcess } from './support/dev-process.ts';

let dataDir: string;
let running: DevProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'changgu-dev-'));
});

afterEach(async () => {
  for (const { process } of running) process.kill('SIGKILL');
  running = [];
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<DevProcess> {
  const server = await startDevProcess(dataDir, env);
  running.push(server);
  return server;
}

async function overwrite(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(bytes, 0, bytes.length, 0);
  await file.close();
}

const BODY = { provider: 'bank_a', action: 'bank_a.accounts.list', params: { a: 1 } };

describe('changgu-server dev as a process', () => {
  it('a job survives SIGKILL between submission and result', { timeout: 60_000 }, async () => {
    const env = { CHANGGU_LEASE_SECONDS: '3', CHANGGU_SANDBOX_DELAY_MS: '400' };
    const first = await start(env);
    const submitted = await first.call('POST', '/v1/jobs', BODY);
    expect(submitted.status).toBe(202);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');

    const second = await start(env);
    const id = submitted.body.job_id;
    let job = await second.call('GET', `/v1/jobs/${id}`);
    while (['QUEUED', 'RUNNING'].includes(job.body.status)) {
      job = await second.call('GET', `/v1/jobs/${id}`);
    }
    expect(job.body.status).toBe('SUCCEEDED');
    const result = await second.call('GET', `/v1/jobs/${id}/result`);
    expect(result.body.result.data.params_echo).toEqual({ a: 1 });
    const replay = await second.call('POST', '/v1/jobs', BODY);
    expect([replay.status, replay.body.job_id]).toEqual([200, id]);
  });

  it('ends with one line of log when its database can no longer be read', {
    timeout: 60_000,
  }, async () => {
    const server = await start();
    const log: string[] = [];
    server.process.stderr.on('data', (bytes: Buffer) => log.push(bytes.toString()));
    const database = join(dataDir, 'changgu.db');
    await overwrite(database, new Uint8Array(4_096).fill(1));
    await truncate(`${database}-wal`, 0);
    // Without its index, the write-ahead log is read anew.
    await overwrite(`${database}-shm`, new Uint8Array(136));
    const [code] = await once(server.process, 'close');
    expect(code).toBe(1);
    const last = JSON.parse(log.join('').trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({
      level: 'fatal',
      msg: expect.stringContaining('database was lost'),
    });
  });

  it('demo.json stays true over a restart, for its owner only', { timeout: 60_000 }, async () => {
    const first = await start();
    expect((await stat(first.ready.demo_file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'master-key'))).mode & 0o777).toBe(0o600);
    expect(await first.end('SIGTERM')).toBe(0);

    const second = await start();
    expect(second.demo.client).toEqual(first.demo.client);
    expect(second.demo.base_url).toBe(second.ready.base_url);
    expect((await second.call('GET', '/v1/jobs')).status).toBe(200);
  });

  it('answers its own machine only, and counts for Prometheus', { timeout: 60_000 }, async () => {
    const server = await start();
    const foreign = await fetch(new URL('/health', server.ready.base_url), {
      headers: { origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
    await server.call('GET', '/health');
    const metrics = await (await fetch(new URL('/metrics', server.ready.base_url))).text();
    expect(metrics).toContain('process_resident_memory_bytes');
    expect(metrics).toContain('changgu_jobs_running{pool="sandbox"} 0');
  });

  it('ends when it cannot write its demo file', { timeout: 60_000 }, async () => {
    await mkdir(join(dataDir, 'demo.json'));
    await expect(start()).rejects.toThrow(/^dev ended with 1: changgu-server: EISDIR/);
  });

  it('refuses a setting that does not exist', { timeout: 60_000 }, async () => {
    await expect(start({ CHANGGU_LITSEN: '1' })).rejects.toThrow(/did you mean CHANGGU_LISTEN\?/);
  });
});
