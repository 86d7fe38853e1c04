import { describe, expect, it } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

describe('the relying party', () => {
  it.each([
    ['https://changgu.example', 'changgu.example', 'https://changgu.example'],
    ['https://changgu.example:8443/below/', 'changgu.example', 'https://changgu.example:8443'],
    ['http://localhost:4010', 'localhost', 'http://localhost:4010'],
    ['http://127.0.0.1:4010', 'localhost', 'http://localhost:4010'],
    ['http://[::1]:4010', 'localhost', 'http://localhost:4010'],
  ])('of %s is %s', (url, id, origin) => {
    expect(relyingPartyOf(url)).toEqual({ id, origin });
  });

  it.each(['http://changgu.example', 'https://192.0.2.7', 'https://[2001:db8::1]:4010'])(
    'cannot be %s',
    (url) => {
      expect(relyingPartyOf(url)).toBeNull();
    },
  );
});
