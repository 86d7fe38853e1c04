import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { serverProgram } from '../../../../scripts/programs.ts';

it('says that a version of Node is too old before it imports what that one lacks', async () => {
  const old = 'Object.defineProperty(process, "versions", { value: { node: "24.6.0" } })';
  const played = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
  const started = promisify(execFile)(process.execPath, [
    ...played,
    ...serverProgram(),
    '--version',
  ]);
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'changgu-server needs Node.js 24.11 or newer; this is 24.6.0.\n',
  });
});
