import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startDevProcess } from '../support/dev-process.ts';

const CONNECTORS = fileURLToPath(new URL('../support/spying-connectors.ts', import.meta.url));
const SECRETS = {
  CHANGGU_MASTER_KEY: Buffer.alloc(32, 77).toString('base64'),
  CHANGGU_METRICS_TOKEN: 'a token for metrics',
  CHANGGU_SMTP_URL: 'smtp://post:letters@127.0.0.1:1',
};

it('a connector finds no secret in the environment, neither when it is loaded nor when it runs, nor in a child (D64)', {
  timeout: 60_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'changgu-environment-'));
  const server = await startDevProcess(dataDir, {
    ...SECRETS,
    CHANGGU_DATABASE_URL: `sqlite:${join(dataDir, 'apart.db')}`,
    CHANGGU_CONNECTORS: CONNECTORS,
    CHANGGU_REAL_TEST_URL_SPY: 'http://127.0.0.1:1',
  });
  try {
    const { client_id: id, client_secret: secret } = server.demo.client;
    const headers = {
      authorization: `Basic ${btoa(`${id}:${secret}`)}`,
      'x-env-scope': 'real_test',
      'idempotency-key': 'spy',
      'content-type': 'application/json',
      prefer: 'wait=20',
    };
    const call = async (path: string, body?: object) => {
      const answer = await fetch(new URL(path, server.ready.base_url), {
        headers,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      return answer.json();
    };
    let job = await call('/v1/jobs', { provider: 'spy', action: 'spy.environment.read' });
    while (['QUEUED', 'RUNNING'].includes(job.status)) job = await call(`/v1/jobs/${job.job_id}`);
    expect(job).toMatchObject({ status: 'SUCCEEDED' });
    const { result } = await call(`/v1/jobs/${job.job_id}/result`);
    const found: string[] = result.data.found;
    expect(found).toHaveLength(4);
    for (const environment of found) {
      // The other settings are there, so the environment was read.
      expect(JSON.parse(environment)).toMatchObject({ CHANGGU_CONNECTORS: CONNECTORS });
      for (const [name, value] of Object.entries(SECRETS)) {
        expect(environment).not.toContain(name);
        expect(environment).not.toContain(value);
      }
      expect(environment).not.toContain('apart.db');
    }
  } finally {
    await server.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  }
});
