import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logOutByProvider } from './logout.ts';
import { createProviderClient } from './provider-client.ts';

const CLIENT = 'changgu';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** A provider that says who it is and which keys it has, and counts who asks for them. */
async function startProvider() {
  const keys = { status: 200, asked: 0 };
  const jwk = { ...(await exportJWK(publicKey)), alg: 'EdDSA', kid: 'known' };
  const server = createServer(({ url }, answer) => {
    if (url === '/keys') {
      keys.asked += 1;
      answer.writeHead(keys.status, { 'content-type': 'application/json' });
      return answer.end(JSON.stringify({ keys: [jwk] }));
    }
    answer.setHeader('content-type', 'application/json');
    return answer.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  return { issuer, keys, close: () => server.close() };
}

describe('a logout token', () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  let send: (kid: string) => Promise<number>;
  beforeEach(async () => {
    provider = await startProvider();
    const { issuer } = provider;
    const client = createProviderClient(
      {
        name: 'acme',
        label: 'Acme',
        issuer,
        clientId: CLIENT,
        clientSecret: null,
        scopes: ['openid'],
        trustedFactor: { amr: [], acr: [] },
      },
      { redirectUri: () => issuer, afterLogout: () => issuer, realNow: Date.now },
    );
    send = async (kid) => {
      const token = await new SignJWT({
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      })
        .setProtectedHeader({ alg: 'EdDSA', kid })
        .setIssuer(issuer)
        .setAudience(CLIENT)
        .setSubject('s')
        .setIssuedAt()
        .setJti(randomUUID())
        .sign(privateKey);
      // The only script that is called.
      const vouchedSessions = { endOf: async () => 1 } as unknown as Sessions;
      return logOutByProvider({ vouchedSessions }, client, token);
    };
  });
  afterEach(() => provider.close());

  it('with a made-up key does not cost the provider a request each', async () => {
    expect(await send('known')).toBe(1);
    for (let n = 0; n < 10; n += 1) {
      await expect(send(`made up ${n}`)).rejects.toMatchObject({ status: 400 });
    }
    expect(provider.keys.asked).toBe(1);
  });

  it('is not called wrong while the keys of the provider cannot be read, or it would not come again', async () => {
    provider.keys.status = 503;
    await expect(send('known')).rejects.toMatchObject({ code: 'AUTH_PROVIDER_UNAVAILABLE' });
    provider.keys.status = 200;
    expect(await send('known')).toBe(1);
  });
});

type Sessions = Parameters<typeof logOutByProvider>[0]['vouchedSessions'];
