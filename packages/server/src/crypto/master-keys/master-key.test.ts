import { describe, expect, it } from 'vitest';
import { assertMasterKey, deriveMasterKey, MasterKeyError, parseMasterKeys } from './master-key.ts';

const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 251 - index));
const other = Buffer.alloc(32, 7);

describe('master key (D64)', () => {
  it.each([
    ['hex', bytes.toString('hex')],
    ['upper case hex', bytes.toString('hex').toUpperCase()],
    ['base64', bytes.toString('base64')],
    ['base64 without padding', bytes.toString('base64').replace('=', '')],
    ['base64url', bytes.toString('base64url')],
    ['a file with a line break', `${bytes.toString('base64')}\n`],
  ])('is read as %s', (_, text) => {
    expect(parseMasterKeys(text).map(({ id }) => id)).toEqual([deriveMasterKey(bytes).id]);
  });

  it('may be followed by those of earlier rotations', () => {
    const text = `${other.toString('hex')}, ${bytes.toString('base64')}`;
    const ids = parseMasterKeys(text).map(({ id }) => id);
    expect(ids).toEqual([deriveMasterKey(other).id, deriveMasterKey(bytes).id]);
  });

  it.each([
    'changeme',
    bytes.subarray(1).toString('hex'),
    bytes.subarray(2).toString('base64'),
    `${bytes.toString('base64')}A`,
    bytes.toString('base64').replace('+', '!'),
  ])('is refused as %j, unquoted', (text) => {
    const failure = failureOf(() => parseMasterKeys(text));
    expect(failure).toBeInstanceOf(MasterKeyError);
    expect(String(failure)).not.toContain(text.slice(0, 8));
  });

  it.each(['', ' \n', ','])('is missing from %j', (text) => {
    expect(() => parseMasterKeys(text)).toThrow(MasterKeyError);
  });

  it('has a stable id and three different keys', () => {
    const key = deriveMasterKey(bytes);
    expect(key.id).toMatch(/^[0-9a-f]{32}$/);
    expect(deriveMasterKey(bytes).id).toBe(key.id);
    expect(deriveMasterKey(other).id).not.toBe(key.id);
    expect(key.wrappingKey.equals(key.urlSigningKey)).toBe(false);
    expect(key.wrappingKey.export()).not.toEqual(bytes);
  });

  it('a wrong one refuses to start, a rotated one does not', () => {
    const [key, next] = [deriveMasterKey(bytes), deriveMasterKey(other)];
    expect(() => assertMasterKey([next], key.id)).toThrow(MasterKeyError);
    expect(() => assertMasterKey([next, key], key.id)).not.toThrow();
  });
});

function failureOf(act: () => unknown): unknown {
  try {
    act();
  } catch (failure) {
    return failure;
  }
  return undefined;
}
