import { FakeService } from '@changgu/sdk/testing';
import { jobRules } from './rules/job-rules.ts';

const service = new FakeService();

async function call(
  method: string,
  path: string,
  options: { key?: string; body?: unknown; text?: string; env?: string; headers?: object } = {},
) {
  const body = options.text ?? (options.body === undefined ? null : JSON.stringify(options.body));
  const answer = await service.fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      authorization: 'Basic eA==',
      'x-env-scope': options.env ?? 'sandbox',
      'content-type': 'application/json',
      ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
      ...options.headers,
    },
    body,
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

jobRules('the fake', () => ({
  call,
  ended: async (jobId) => {
    await service.clock.advance(5000);
    return (await call('GET', `/v1/jobs/${jobId}`)).body;
  },
}));
