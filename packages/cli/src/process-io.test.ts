import { expect, it, vi } from 'vitest';
import { processIo } from './process-io.ts';

it('the home directory is that of the user where HOME is empty, not the working directory', () => {
  const os = { homedir: () => '', userInfo: () => ({ homedir: '/home/operator' }) };
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(os);
  const { home } = processIo();
  vi.restoreAllMocks();
  expect(home).toBe('/home/operator');
});
