import { createHmac, generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { memoryKeyRecords, memoryOrganizationKeys } from '../../test/memory-key-stores.ts';
import { createKeyRing } from './key-ring.ts';
import { deriveMasterKey } from './master-keys/master-key.ts';
import { fixedMasterKeys } from './master-keys/master-key-source.ts';
import {
  createTokens,
  generateSigningKey,
  MAX_TOKEN_SECONDS,
  SIGNING_KEY_POLICY,
  type TokenSubject,
} from './signing-keys.ts';
import { createVault } from './vault.ts';

const subject: TokenSubject = { userId: 'user-1', kind: 'console_user', passwordEpoch: 3 };
const HOURS_8 = 28_800;
const invalid = { ok: false, reason: 'invalid' };

function setup() {
  const clock = { now: Date.UTC(2026, 10, 21), setBack: 0 };
  const now = () => clock.now - clock.setBack;
  const monotonic = () => clock.now;
  const store = memoryKeyRecords();
  const vault = createVault({
    masterKeys: fixedMasterKeys([deriveMasterKey(new Uint8Array(32))]),
    organizationKeys: memoryOrganizationKeys(),
  });
  const open = (issuer = 'https://changgu.test', audience = 'changgu') => {
    const policy = SIGNING_KEY_POLICY;
    const generate = generateSigningKey;
    const ring = createKeyRing({
      ring: 'signing_keys',
      policy,
      store,
      vault,
      generate,
      now,
    });
    return { ring, tokens: createTokens({ ring, issuer, audience, now, monotonic }) };
  };
  return { clock, open, ...open() };
}

describe('console and admin tokens (D86)', () => {
  it.each(['console_user', 'admin_user'] as const)('%s round trip', async (kind) => {
    const { tokens } = setup();
    const { token, jti } = await tokens.issue({ ...subject, kind }, HOURS_8);
    expect(await tokens.verify(token)).toEqual({ ok: true, subject: { ...subject, kind }, jti });
  });

  it('carries exactly these claims', async () => {
    const { tokens, clock, ring } = setup();
    const { token, jti, expiresAt } = await tokens.issue(subject, HOURS_8);
    const iat = clock.now / 1_000;
    expect(expiresAt).toBe(iat + HOURS_8);
    const [key] = ring.known();
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', kid: key?.kid, typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({
      iss: 'https://changgu.test',
      aud: 'changgu',
      sub: 'user-1',
      pk: 'console_user',
      ver: 3,
      iat,
      exp: iat + HOURS_8,
      jti,
    });
  });

  it('expires', async () => {
    const { tokens, clock } = setup();
    const { token } = await tokens.issue(subject, 10);
    clock.now += 9_000;
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
    clock.now += 1_000;
    expect(await tokens.verify(token)).toEqual({ ok: false, reason: 'expired' });
  });

  it.each([0, -1, Number.NaN, MAX_TOKEN_SECONDS + 1])('refuses to live %d s', async (seconds) => {
    await expect(setup().tokens.issue(subject, seconds)).rejects.toThrow(RangeError);
  });

  it('outlives two rotations of the key that signed it', async () => {
    const { tokens, ring, clock } = setup();
    const { token } = await tokens.issue(subject, MAX_TOKEN_SECONDS);
    await ring.rotate();
    await ring.rotate();
    clock.now += (MAX_TOKEN_SECONDS - 1) * 1_000;
    await ring.maintain();
    expect(await tokens.verify(token)).toMatchObject({ ok: true });
  });

  it('is accepted by a process that has not seen its key yet', async () => {
    const { tokens, ring, open } = setup();
    const there = open();
    await there.ring.keys();
    await ring.rotate();
    const { token } = await tokens.issue(subject, HOURS_8);
    expect(await there.tokens.verify(token)).toMatchObject({ ok: true });
  });
});

describe('invalid tokens (D86)', () => {
  it('with a made-up key costs no reading of the keys (D86)', async () => {
    const { tokens, ring, clock } = setup();
    const { token } = await tokens.issue(subject, HOURS_8);
    await tokens.verify(token);
    const reading = vi.spyOn(ring, 'keys');
    const forged = await new SignJWT({})
      .setProtectedHeader({ alg: 'EdDSA', kid: 'made up' })
      .sign(generateKeyPairSync('ed25519').privateKey);
    for (let n = 0; n < 50; n += 1) expect(await tokens.verify(forged)).toEqual(invalid);
    expect(reading).not.toHaveBeenCalled();
    clock.now += 1_000;
    await Promise.all(Array.from({ length: 50 }, () => tokens.verify(forged)));
    expect(reading).toHaveBeenCalledTimes(1);
  });

  it('of a revoked key is void here at once and elsewhere within five seconds (D86)', async () => {
    const { tokens, ring, open, clock } = setup();
    const elsewhere = open().tokens;
    const { token } = await tokens.issue(subject, HOURS_8);
    expect(await elsewhere.verify(token)).toMatchObject({ ok: true });
    clock.now += 1;
    await ring.revoke();
    expect(await tokens.verify(token)).toEqual(invalid);
    clock.now += 5_000;
    expect(await elsewhere.verify(token)).toEqual(invalid);
    const next = await tokens.issue(subject, HOURS_8);
    expect(await elsewhere.verify(next.token)).toMatchObject({ ok: true });
  });

  it('of a revoked key is void elsewhere although the clock was set back (D86, D133)', async () => {
    const { tokens, ring, open, clock } = setup();
    const elsewhere = open().tokens;
    const { token } = await tokens.issue(subject, HOURS_8);
    expect(await elsewhere.verify(token)).toMatchObject({ ok: true });
    clock.now += 1;
    await ring.revoke();
    clock.setBack = 3_600_000;
    clock.now += 5_000;
    expect(await elsewhere.verify(token)).toEqual(invalid);
  });

  it('of another issuer or audience', async () => {
    const { tokens, open } = setup();
    for (const other of [open('https://other.test'), open(undefined, 'other')]) {
      const { token } = await other.tokens.issue(subject, HOURS_8);
      expect(await tokens.verify(token)).toEqual(invalid);
    }
  });

  it('with any other signature, algorithm or claims', async () => {
    const { tokens, ring, clock } = setup();
    const { token } = await tokens.issue(subject, HOURS_8);
    const [key] = ring.known();
    if (!key) throw new Error('no key');
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = decodeJwt(token);
    const sign = (changed: object, privateKey = key.privateKey) =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'EdDSA', kid: key.kid })
        .sign(privateKey);

    const hmacInput = `${encode({ alg: 'HS256', kid: key.kid })}.${payload}`;
    const publicPem = key.publicKey.export({ format: 'pem', type: 'spki' });
    const hmac = createHmac('sha256', publicPem).update(hmacInput).digest('base64url');
    const forged = [
      '',
      'x.y.z',
      `${header}.${payload}.`,
      `${header}.${encode({ ...claims, pk: 'admin_user' })}.${signature}`,
      `${encode({ alg: 'none' })}.${payload}.`,
      `${hmacInput}.${hmac}`,
      `${encode({ alg: 'EdDSA', kid: 'unknown' })}.${payload}.${signature}`,
      await sign({}, generateKeyPairSync('ed25519').privateKey),
      await sign({ pk: 'system' }),
      await sign({ ver: '3' }),
      await sign({ sub: undefined }),
      await sign({ jti: undefined }),
      await sign({ exp: undefined }),
      await sign({ iat: undefined }),
    ];
    for (const candidate of forged) expect(await tokens.verify(candidate)).toEqual(invalid);
    expect(await tokens.verify(await sign({}))).toMatchObject({ ok: true });
    expect(claims.exp).toBe(clock.now / 1_000 + HOURS_8);
  });
});
