import { expect, it, vi } from 'vitest';
import { processIo } from './process-io.ts';

it.each([
  ['that of the user, not the working directory', () => '/home/operator', '/home/operator'],
  [
    'none for a user of whom the system knows nothing',
    () => {
      throw new Error('ENOENT');
    },
    '/dev/null',
  ],
])('the home directory where HOME is empty is %s', (_, userHome, expected) => {
  const os = {
    devNull: '/dev/null',
    homedir: () => '',
    userInfo: () => ({ homedir: userHome() }),
  };
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(os);
  const { home } = processIo();
  vi.restoreAllMocks();
  expect(home).toBe(expected);
});
