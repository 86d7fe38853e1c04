import { devNull } from 'node:os';
import { describe, expect, it } from 'vitest';
import { homeDirectory } from './home-directory.ts';

const user = { homedir: '/home/u' };

describe('the home directory', () => {
  it('is that of the environment, or else that of the user', () => {
    const userInfo = () => user;
    expect(homeDirectory({ homedir: () => '/home/given', userInfo })).toBe('/home/given');
    expect(homeDirectory({ homedir: () => '', userInfo })).toBe('/home/u');
  });

  it('is none for a user of whom the system knows nothing', () => {
    const homedir = () => {
      throw new Error('ENOENT');
    };
    expect(homeDirectory({ homedir, userInfo: () => user })).toBe(devNull);
  });
});
