import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Changgu } from '@changgu/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../src/composition/server.ts';
import { readConfig } from '../src/config/server-config.ts';
import { createDemoOrganization, demoAdminToken } from '../src/dev/demo-organization.ts';
import { serveSimulated } from '../src/dev/serve-simulated.ts';
import { bearer } from './support/people.ts';

let dataDir: string;
let server: RunningServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'changgu-serve-'));
  const config = await readConfig('serve', {
    CHANGGU_PUBLIC_BASE_URL: 'https://jobs.example.com',
    CHANGGU_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    CHANGGU_LISTEN: '127.0.0.1:0',
    CHANGGU_DATA_DIR: dataDir,
    CHANGGU_LOG_LEVEL: 'fatal',
  });
  server = await serveSimulated(config);
}, 30_000);
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

it('serve --simulators runs the real connectors against simulated institutions (D85, D141)', async () => {
  const demo = await createDemoOrganization(server.core, { links: true });
  const client = new Changgu({
    baseUrl: server.url,
    clientId: demo.client.client_id,
    clientSecret: demo.client.client_secret,
    envScope: 'real_test',
  });
  const job = await client.jobs.submit({ action: 'bank_a.accounts.list' });
  const { data } = await job.result();
  expect(data).toMatchObject({ success: true });
  expect(data).not.toHaveProperty('mock');
  await client.close();
});

it('the test clock is for dev alone (D133)', async () => {
  const answer = await fetch(new URL('/v1/test-clock/advance', server.url), {
    method: 'POST',
    headers: {
      ...bearer(await demoAdminToken(server.core)),
      'content-type': 'application/json',
    },
    body: '{"seconds":60}',
  });
  expect(answer.status).toBe(404);
});
