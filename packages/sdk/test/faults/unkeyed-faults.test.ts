import { describe, expect, it } from 'vitest';
import { testClient } from '../support/client.ts';
import { dropped, json, refusal, scriptedServer } from '../support/scripted-server.ts';

const details = { label: 'key' };

describe('an operation that may act twice', () => {
  it('is not sent again after the connection dropped', async () => {
    const { url, seen } = await scriptedServer(dropped);
    const issuing = testClient(url, { token: 't' }).appCredentials.issue(details);
    await expect(issuing).rejects.toMatchObject({ name: 'ConnectionError', neverSent: false });
    expect(seen).toHaveLength(1);
  });

  it('is not sent again after a 503', async () => {
    const { url, seen } = await scriptedServer(refusal(503, 'SERVICE_UNAVAILABLE', true));
    const issuing = testClient(url, { token: 't' }).appCredentials.issue(details);
    await expect(issuing).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(seen).toHaveLength(1);
  });

  it('is sent again after a rate limit, which refuses before anything happens', async () => {
    const { url, seen } = await scriptedServer(
      refusal(429, 'RATE_LIMITED', true),
      json(201, { client_id: 'cli_1', client_secret: 's' }),
    );
    const issued = await testClient(url, { token: 't' }).appCredentials.issue(details);
    expect(issued.clientId).toBe('cli_1');
    expect(seen).toHaveLength(2);
  });
});
