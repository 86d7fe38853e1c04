import { type ClientRequest, request } from 'node:http';
import { operations } from '@changgu/contract/schemas';
import { describe, expect, it } from 'vitest';
import { basic, testApp, VERIFIERS } from '../../../test/support/http-app.ts';
import { BODY, HEADERS } from '../../../test/support/jobs-app.ts';
import { mcpRoute } from '../../mcp/route.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { route } from '../route.ts';

/** Sends the headers, and the body after its caller was admitted and something happened. Answers the status. */
async function sendLate(path: string, keyIsRevoked: boolean): Promise<number> {
  let revoked = false;
  const admitted = Promise.withResolvers<void>();
  const app = testApp({
    verifiers: {
      ...VERIFIERS,
      client: async (...credentials) => {
        if (revoked) return null;
        // After the promise of this answer.
        setImmediate(admitted.resolve);
        return VERIFIERS.client(...credentials);
      },
    },
  });
  const served = async () => {
    throw new ServiceError('SERVICE_UNAVAILABLE');
  };
  route(app, operations.jobs.submitJob, served);
  mcpRoute(app, served);
  const url = await app.fastify.listen();
  try {
    const headers = { ...HEADERS, authorization: basic() };
    const sent = request(new URL(path, url), { method: 'POST', headers });
    sent.flushHeaders();
    await admitted.promise;
    revoked = keyIsRevoked;
    return await endOf(sent, JSON.stringify(BODY));
  } finally {
    await app.fastify.close();
  }
}

function endOf(sent: ClientRequest, body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  sent.on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

describe('a body that follows its headers later', () => {
  it.each(['/v1/jobs', '/mcp'])('of %s is served while the key works', async (path) => {
    expect(await sendLate(path, false)).toBe(503);
  });

  it.each(['/v1/jobs', '/mcp'])(
    'of %s is refused when the key was revoked meanwhile (D98)',
    async (path) => {
      expect(await sendLate(path, true)).toBe(401);
    },
  );
});
