import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokens } from '../src/crypto/signing-keys.ts';
import { newPerson, type Person } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;
let person: Person;

beforeAll(async () => {
  server = await startTestServer();
  person = await newPerson(server);
});
afterAll(() => server[Symbol.asyncDispose]());

async function statusWith(token: string): Promise<number> {
  const { status } = await server.call('GET', '/v1/membership/me', {
    headers: { authorization: `Bearer ${token}` },
  });
  return status;
}

const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function parts() {
  const [header = '', payload = '', signature = ''] = person.token.split('.');
  return { header, payload, signature };
}

/** The claims of a good token, signed by another key under the kid of ours. */
async function signedElsewhere(change: object = {}, header: object = {}): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  return new SignJWT({ ...decode(parts().payload), ...change })
    .setProtectedHeader({ alg: 'EdDSA', kid: decode(parts().header).kid, ...header })
    .sign(privateKey);
}

describe('forged and worn-out tokens (D86)', () => {
  it('the token itself is good', async () => {
    expect(await statusWith(person.token)).toBe(200);
  });

  it('alg none, in every spelling', async () => {
    const { header, payload, signature } = parts();
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = `${encode({ ...decode(header), alg })}.${payload}`;
      expect(await statusWith(`${unsigned}.`)).toBe(401);
      expect(await statusWith(`${unsigned}.${signature}`)).toBe(401);
      expect(await statusWith(unsigned)).toBe(401);
    }
  });

  it('a claim changed after signing', async () => {
    const { header, payload, signature } = parts();
    for (const change of [{ sub: '1' }, { pk: 'admin_user' }, { ver: 0 }, { exp: 9_999_999_999 }]) {
      const forged = encode({ ...decode(payload), ...change });
      expect(await statusWith(`${header}.${forged}.${signature}`)).toBe(401);
    }
  });

  it("another's key: under our kid, under its own, carried along", async () => {
    expect(await statusWith(await signedElsewhere())).toBe(401);
    expect(await statusWith(await signedElsewhere({}, { kid: 'unknown' }))).toBe(401);
    expect(await statusWith(await signedElsewhere({}, { kid: '../../dev/null' }))).toBe(401);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' });
    const carried = await new SignJWT(decode(parts().payload))
      .setProtectedHeader({ alg: 'EdDSA', jwk })
      .sign(privateKey);
    expect(await statusWith(carried)).toBe(401);
  });

  it('HMAC with the public key as its secret', async () => {
    const [ring] = await server.core.signingRing.keys();
    const secret = ring?.publicKey.export({ format: 'pem', type: 'spki' }) ?? '';
    const head = encode({ alg: 'HS256', kid: decode(parts().header).kid, typ: 'JWT' });
    const signed = `${head}.${parts().payload}`;
    const mac = createHmac('sha256', secret).update(signed).digest('base64url');
    expect(await statusWith(`${signed}.${mac}`)).toBe(401);
  });

  it.each([
    ['expired', { now: () => Date.now() - 9 * 3_600_000 }],
    ['of another audience', { audience: 'someone else' }],
    ['of another issuer', { issuer: 'someone else' }],
  ])('one that is %s, though signed by us', async (_, change) => {
    const tokens = createTokens({
      ring: server.core.signingRing,
      issuer: 'changgu',
      audience: 'changgu',
      now: () => Date.now(),
      ...change,
    });
    const subject = {
      kind: 'console_user',
      userId: String(person.userId),
      passwordEpoch: 1,
    } as const;
    const { token } = await tokens.issue(subject, 28_800);
    expect(await statusWith(token)).toBe(401);
  });

  it('of a user that does not exist, is an admin only by name, or of an earlier password', async () => {
    const issue = async (userId: string, kind: 'console_user' | 'admin_user', passwordEpoch = 1) =>
      (await server.core.tokens.issue({ userId, kind, passwordEpoch }, 60)).token;
    const { userId } = person;
    expect(await statusWith(await issue(String(userId), 'console_user'))).toBe(200);
    expect(await statusWith(await issue('999999', 'console_user'))).toBe(401);
    expect(await statusWith(await issue('999999', 'admin_user'))).toBe(401);
    expect(await statusWith(await issue('1e999', 'console_user'))).toBe(401);
    expect(await statusWith(await issue("1' or 1=1", 'console_user'))).toBe(401);
    expect(await statusWith(await issue(String(userId), 'console_user', 2))).toBe(401);
  });

  it('a token outlives the key that signed it by its own time', async () => {
    await server.core.signingRing.rotate();
    expect(await statusWith(person.token)).toBe(200);
  });
});
