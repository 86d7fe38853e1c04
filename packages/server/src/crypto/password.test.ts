import crypto, { type argon2, argon2Sync } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useBuiltinSpies } from '../../test/support/builtin-spies.ts';
import { hashPassword, PASSWORD_COST, usePasswordCost, verifyPassword } from './password.ts';

/** What the module asks of Node's Argon2: the costs, and how many runs stand at once. */
const runs = { costs: [] as object[], active: 0, most: 0 };

// The other tests hash at a lower cost.
beforeAll(() => usePasswordCost(PASSWORD_COST));

useBuiltinSpies(() => {
  runs.costs.length = 0;
  runs.most = 0;
  const original = crypto.argon2;
  const counted: typeof argon2 = (algorithm, parameters, callback) => {
    const { memory, passes, parallelism, tagLength } = parameters;
    runs.costs.push({ algorithm, memory, passes, parallelism, tagLength });
    runs.active += 1;
    runs.most = Math.max(runs.most, runs.active);
    original(algorithm, parameters, (...outcome) => {
      runs.active -= 1;
      callback(...outcome);
    });
  };
  vi.spyOn(crypto, 'argon2').mockImplementation(counted);
});

describe('passwords (D65)', () => {
  it('are kept as Argon2id with 19 MiB, two passes and one lane', async () => {
    const encoded = await hashPassword('correct horse');
    expect(encoded).toMatch(
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    );
    expect(await verifyPassword('correct horse', encoded)).toBe(true);
    expect(await verifyPassword('correct horsf', encoded)).toBe(false);
    expect(await verifyPassword('', encoded)).toBe(false);
  });

  it('never hash alike', async () => {
    expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
  });

  it('match however Hangul was typed', async () => {
    const encoded = await hashPassword('비밀번호'.normalize('NFD'));
    expect(await verifyPassword('비밀번호'.normalize('NFC'), encoded)).toBe(true);
  });

  it('of unknown users are refused with the same work', async () => {
    const encoded = await hashPassword('a password');
    await verifyPassword('anything', encoded);
    expect(await verifyPassword('anything', null)).toBe(false);
    const [, ofKnown, ofUnknown] = runs.costs;
    expect(runs.costs).toHaveLength(3);
    expect(ofUnknown).toEqual(ofKnown);
    expect(ofUnknown).toEqual({
      algorithm: 'argon2id',
      memory: 19_456,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    });
  });

  it('of an earlier, cheaper setting still match', async () => {
    const nonce = Buffer.alloc(16, 3);
    const cost = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 };
    const tag = argon2Sync('argon2id', { message: 'old', nonce, ...cost });
    const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
    expect(await verifyPassword('old', `$argon2id$v=19$m=64,t=1,p=1$${salt}$${hash}`)).toBe(true);
  });

  it.each(['', 'plain', '$argon2i$v=19$m=19456,t=2,p=1$AAAA$AAAA'])(
    'a stored value %j is an error, not a refusal',
    async (encoded) => {
      await expect(verifyPassword('x', encoded)).rejects.toThrow(TypeError);
    },
  );

  it('are hashed four at a time', async () => {
    await Promise.all(Array.from({ length: 9 }, (_, index) => hashPassword(`${index}`)));
    expect(runs.costs).toHaveLength(9);
    expect(runs.most).toBe(4);
  });
});
