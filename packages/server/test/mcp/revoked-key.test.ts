import { expect, it } from 'vitest';
import { toolCall } from '../support/mcp-call.ts';
import { bearer } from '../support/people.ts';
import { startTestServer } from '../support/start-server.ts';

/** One job runs until after the test, and all others wait behind it. */
const BUSY = { SANDBOX_SLOTS: '1', SANDBOX_DELAY_MS: '600000', SHUTDOWN_SECONDS: '0' };

it('a call tells nothing more once its key is revoked (D98)', async () => {
  await using server = await startTestServer({ links: true, env: BUSY });
  const headers = bearer(server.adminToken);
  const { body: key } = await server.call('POST', '/v1/app-credentials', {
    headers: { ...headers, 'x-organization-id': String(server.organizationId) },
    body: { label: 'stolen', allowed_env_scopes: ['sandbox'] },
  });
  const job = { provider: 'bank_a', action: 'bank_a.accounts.list' };
  expect((await server.call('POST', '/v1/jobs', { key: 'running', body: job })).status).toBe(202);

  const answer = await fetch(new URL('/mcp', server.url), {
    method: 'POST',
    headers: {
      ...server.headers(),
      authorization: `Basic ${btoa(`${key.client_id}:${key.client_secret}`)}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify(toolCall('bank_a__accounts__list')),
  });
  const chunks: string[] = [];
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    // The first event tells that the job waits. The incident cancels it, and thereby ends the wait.
    if (chunks.length === 0) {
      const path = `/v1/app-credentials/${key.client_id}/revoke`;
      const body = { revoked_reason: 'security_incident' };
      expect((await server.call('POST', path, { headers, body })).status).toBe(200);
    }
    chunks.push(chunk);
  }
  const { result } = JSON.parse(chunks.join('').trim().split('data: ').at(-1) ?? '');
  // The job is known to the call since before; that it was canceled is not.
  expect(result.structuredContent).toMatchObject({ status: 'QUEUED', job_id: expect.any(String) });
  expect(chunks.join('')).not.toContain('CANCELED');
});
