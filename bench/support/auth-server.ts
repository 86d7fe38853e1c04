import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@changgu/contract/schemas';
import Fastify from 'fastify';
import { systemClock } from '../../packages/server/src/clock.ts';
import { startServer } from '../../packages/server/src/composition/server.ts';
import { readConfig } from '../../packages/server/src/config/server-config.ts';
import { openCore } from '../../packages/server/src/core.ts';
import { createDemoOrganization } from '../../packages/server/src/dev/demo-organization.ts';
import { createApp } from '../../packages/server/src/http/app.ts';
import { createGate } from '../../packages/server/src/http/gate.ts';
import { route } from '../../packages/server/src/http/route.ts';
import { createSessionCookies } from '../../packages/server/src/http/session-cookies.ts';
import { readJob } from '../../packages/server/src/jobs/read.ts';
import { createVerifiers } from '../../packages/server/src/principals/verifiers.ts';
import { jobAccess } from '../../packages/server/src/requests/access.ts';
import type { Verifiers } from '../../packages/server/src/rules/principals/principal.ts';

/** What the server reports to the bench. */
export interface AuthServerReady {
  readonly headers: Record<string, string>;
  /** The same job behind the real gate, and behind one that checks no secret. */
  readonly proven: string;
  readonly open: string;
}

const dataDir = await mkdtemp(join(tmpdir(), 'changgu-bench-'));
const config = await readConfig('dev', { CHANGGU_LOG_LEVEL: 'silent' }, { port: 0, dataDir });
const core = await openCore(config, { clock: systemClock, createDevKey: true });
const demo = await createDemoOrganization(core, { links: false });
const { client_id: id, client_secret: secret } = demo.client;
const headers = { authorization: `Basic ${btoa(`${id}:${secret}`)}`, 'x-env-scope': 'sandbox' };
const jobId = await submitOne();
const verifiers = createVerifiers(core.store, core.tokens);
const known = await verifiers.client(id, secret, { traceId: null });
const ready: AuthServerReady = {
  headers,
  proven: await serve(verifiers),
  open: await serve({ ...verifiers, client: async () => known }),
};
process.send?.(ready);
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});

async function submitOne(): Promise<string> {
  const whole = await startServer(config, { core: { ...core, close: async () => {} } });
  const answer = await fetch(new URL('/v1/jobs', whole.url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'bench' },
    body: JSON.stringify({ provider: 'bank_a', action: 'bank_a.accounts.list' }),
  });
  const { job_id }: { job_id: string } = await answer.json();
  await whole.close();
  return job_id;
}

/** One route behind its own gate. */
async function serve(verifiersOf: Verifiers): Promise<string> {
  const rateLimit = { limit: 900_000_000, windowSeconds: 60 };
  const app = createApp({
    gate: createGate({
      verifiers: verifiersOf,
      cookies: createSessionCookies(undefined),
      rateLimit,
      clock: systemClock,
      onLimited: async () => {},
    }),
    logger: Fastify().log,
    draining: new AbortController().signal,
  });
  route(app, operations.jobs.readJob, async ({ principal, envScope, params }) => ({
    status: 200,
    body: await readJob(core.store, jobAccess(principal, envScope), params.job_id),
  }));
  await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  // A listening TCP server always has an address.
  const { port } = app.fastify.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/v1/jobs/${jobId}`;
}
