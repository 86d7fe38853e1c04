import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bridgeProgram } from '../../../scripts/programs.ts';
import {
  type RealTestServer,
  startRealTestServer,
} from '../../server/test/support/real-test-server.ts';

let real: RealTestServer;
beforeAll(async () => {
  real = await startRealTestServer();
});
afterAll(() => real[Symbol.asyncDispose]());

it('tells a host that listens over stdio of the jobs that it named, and of no other (2026-07-28)', async () => {
  const { client_id, client_secret } = real.server.client;
  const host = new Client(
    { name: 'listening-host', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const updates: string[] = [];
  const heard = Promise.withResolvers<void>();
  host.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updates.push(params.uri);
    heard.resolve();
  });
  await host.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...bridgeProgram()],
      env: {
        CHANGGU_BASE_URL: real.server.url,
        CHANGGU_CLIENT_ID: client_id,
        CHANGGU_CLIENT_SECRET: client_secret,
        CHANGGU_ENV_SCOPE: 'real_test',
      },
      stderr: 'ignore',
    }),
  );
  await using _ended = { [Symbol.asyncDispose]: () => host.close() };

  const started = await host.callTool({
    name: 'bank_a_accounts',
    arguments: { wait_seconds: 0, request_id: 'listened' },
  });
  const { job_id } = JSON.parse(JSON.stringify(started.structuredContent));
  const uri = `changgu://jobs/${job_id}`;
  const subscription = await host.listen({ resourceSubscriptions: [uri] });
  const other = await real.client.jobs.submit({ action: 'bank_b.accounts.list', params: {} });
  await other.wait();
  await heard.promise;
  expect(new Set(updates)).toEqual(new Set([uri]));
  const { contents } = await host.readResource({ uri });
  const [content] = contents;
  expect(JSON.parse(content && 'text' in content ? content.text : '{}')).toMatchObject({ job_id });

  // The connection serves calls while it listens, and after it has stopped listening.
  await subscription.close();
  const read = await host.callTool({ name: 'job_result', arguments: { job_id } });
  expect(read.structuredContent).toMatchObject({ status: 'SUCCEEDED', job_id });
});
