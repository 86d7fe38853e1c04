import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../src/clock.ts';
import { startServer } from '../src/composition/server.ts';
import { readConfig } from '../src/config/server-config.ts';
import { openCore } from '../src/core.ts';
import { createPostgresDatabase } from '../src/store/testing/describe-stores.ts';
import { startFreezingProxy } from '../src/store/testing/freezing-proxy.ts';
import { realTimers, type Timers } from '../src/timers.ts';
import { freePort } from './support/free-port.ts';
import { startTestServer } from './support/start-server.ts';

const BODY = { provider: 'bank_a', action: 'bank_a.accounts.list' };

it('frees its port and its database when what follows on listening fails', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-test-'));
  const port = await freePort();
  const config = await readConfig('dev', {}, { port, dataDir });
  const core = await openCore(config, { clock: systemClock, createDevKey: true });
  const timers: Timers = {
    ...realTimers,
    monotonic() {
      throw new Error('no worker');
    },
  };
  const logger = pino({ level: 'silent' });
  await expect(startServer(config, { core, logger, timers })).rejects.toThrow('no worker');
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow('fetch failed');
  await expect(core.store.clock.now()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await rm(dataDir, { recursive: true });
});

describe('stopping', () => {
  it('lets a running job end, answers meanwhile, and is not ready (D03, D131)', async () => {
    const server = await startTestServer({ env: { SANDBOX_DELAY_MS: '2000' } });
    const { body: job } = await server.call('POST', '/v1/jobs', { key: 'k', body: BODY });
    const path = `/v1/jobs/${job.job_id}`;
    const status = async () => (await server.call('GET', path)).body.status;
    await expect.poll(status, { timeout: 10_000 }).toBe('RUNNING');
    const waiting = server.call('GET', path, { headers: { prefer: 'wait=20' } });

    const closed = server.close();
    expect((await server.call('GET', '/health/ready')).body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect((await server.call('GET', '/health/live')).status).toBe(200);
    expect((await waiting).status).toBe(200);
    await closed;
    await expect(server.call('GET', '/health')).rejects.toThrow('fetch failed');

    const again = await startTestServer({ dataDir: server.dataDir });
    const found = await again.core.store.jobs.find({
      access: { organizationId: server.organizationId, envScope: 'sandbox', submittedBy: null },
      jobId: job.job_id,
    });
    expect(found?.status).toBe('SUCCEEDED');
    await again[Symbol.asyncDispose]();
  });

  it('ends in its time although its connections to PostgreSQL have gone silent', async () => {
    const database = await createPostgresDatabase();
    const proxy = await startFreezingProxy(database.url);
    const server = await startTestServer({
      env: { DATABASE_URL: proxy.url, LEASE_SECONDS: '4', SHUTDOWN_SECONDS: '1' },
    });
    const { body: job } = await server.call('POST', '/v1/jobs', { key: 'k', body: BODY });
    expect(job.status).toBe('QUEUED');
    proxy.freeze();
    await expect(server.close()).resolves.toBeUndefined();
    proxy.close();
    await database.remove();
  });
});
