import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Runs a function until V8 optimizes it, once while starting and another once at rest. */
const PROGRAM = `
  const { startSparingly, restAfterStart } = await import(process.argv[1]);
  function untilHot(call) { for (let n = 0; n < 20_000; n += 1) call(n); }
  globalThis.setTimeout = (rest) => { rest(); return { unref() {} }; };
  startSparingly();
  untilHot(function hotAtStart(n) { return n + 1; });
  restAfterStart({ core: { store: { collectGarbage() {} } } });
  untilHot(function hotAtRest(n) { return n + 2; });
`;

it('compiles beside the code that runs only once the server rests, and by flags that V8 knows', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--trace-opt',
      '--input-type=module',
      `--eval=${PROGRAM}`,
      new URL('rest.ts', import.meta.url).href,
    ],
    { encoding: 'utf8' },
  );
  expect(stdout).toMatch(/marking \S+ <JSFunction hotAtStart.*kSynchronous/);
  expect(stdout).toMatch(/marking \S+ <JSFunction hotAtRest.*kConcurrent/);
  expect(stderr).toBe('');
});
