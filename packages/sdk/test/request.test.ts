import { ConfigurationError } from '@changgu/sdk';
import { describe, expect, it } from 'vitest';
import { failureOf, fake } from './support/fake.ts';

describe('a request by its place on the wire', () => {
  it('goes with credentials and gives the answer as it stands', async () => {
    const { client, service, run } = fake();
    service.route(({ path }) =>
      path === '/v1/products' ? { status: 200, body: { next_cursor: null } } : null,
    );
    const answer = await run(
      client.request({ method: 'GET', path: '/v1/products', query: { limit: 2 } }),
    );
    expect(answer).toEqual({ status: 200, body: { next_cursor: null } });
    expect(service.requests[0]?.headers.get('authorization')).toMatch(/^Basic /);
  });

  it.each(['//evil.test/v1', 'v1/jobs', '/v1/jobs?x=1', '/v1/{job_id}', '/\\evil.test'])(
    'refuses %s',
    async (path) => {
      const { client, run } = fake();
      const error = await failureOf(run(client.request({ method: 'GET', path })));
      expect(error).toBeInstanceOf(ConfigurationError);
    },
  );
});
