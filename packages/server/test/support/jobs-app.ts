import { operations } from '@changgu/contract/schemas';
import type { InjectOptions } from 'fastify';
import type { HttpApp } from '../../src/http/app.ts';
import { route } from '../../src/http/route.ts';
import { ServiceError } from '../../src/rules/service-error.ts';
import { basic, testApp } from './http-app.ts';

const { submitJob, readJob, deleteJobArtifacts } = operations.jobs;

const ACCEPTED = {
  job_id: 'job_01JD0000000000000000000000',
  status: 'QUEUED',
  env_scope: 'sandbox',
  provider: 'bank_a',
  action: 'bank_a.accounts.list',
  submitted_at: '2026-11-21T09:00:00.000+09:00',
} as const;

export const BODY = { provider: 'bank_a', action: 'bank_a.accounts.list' };
export const HEADERS = {
  authorization: basic(),
  'x-env-scope': 'sandbox',
  'idempotency-key': 'k1',
  'content-type': 'application/json',
};

/** The job routes that need no store behind them. */
export function jobsApp(options: Parameters<typeof testApp>[0] = {}): HttpApp {
  const app = testApp(options);
  route(app, submitJob, async ({ envScope }) => ({
    status: 202,
    body: { ...ACCEPTED, env_scope: envScope },
  }));
  route(app, readJob, async () => {
    throw new ServiceError('JOB_NOT_FOUND');
  });
  route(app, deleteJobArtifacts, async () => ({
    status: 200,
    body: { job_id: ACCEPTED.job_id, deleted_count: 0 },
  }));
  return app;
}

/** POST /v1/jobs, well-formed but for the overrides. */
export async function submit(overrides: InjectOptions = {}, app = jobsApp()) {
  const answer = await app.fastify.inject({
    method: 'POST',
    url: '/v1/jobs',
    headers: HEADERS,
    payload: JSON.stringify(BODY),
    ...overrides,
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}
