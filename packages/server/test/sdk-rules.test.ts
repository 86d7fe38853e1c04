import { afterAll, beforeAll } from 'vitest';
import { jobRules } from '../../sdk/test/rules/job-rules.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

/** The rules that the SDK's fake is held to hold for the server, so that the fake is a true one. */
jobRules('the server', () => ({
  async call(method, path, { text, ...options } = {}) {
    if (text === undefined) return server.call(method, path, options);
    const answer = await fetch(new URL(path, server.url), {
      method,
      headers: {
        ...server.headers(options.env),
        'content-type': 'application/json',
        'idempotency-key': options.key ?? '',
      },
      body: text,
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  },
  ended: (jobId) => server.ended(jobId),
}));
