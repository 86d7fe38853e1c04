import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** Runs functions until V8 optimizes them fully, while starting and at rest. */
const PROGRAM = `
  const { startSparingly, restAfterStart } = await import(process.argv[1]);
  function untilHot(call) { for (let n = 0; n < 2_000_000; n += 1) call(n); }
  function sum(n) { let total = 0; for (let k = 0; k < 20; k += 1) total += n * k; return total; }
  globalThis.setTimeout = (rest) => { rest(); return { unref() {} }; };
  startSparingly();
  untilHot(function hotAtStart(n) { return sum(n); });
  console.log('at rest');
  restAfterStart({ core: { store: { collectGarbage() {} } } });
  for (let round = 0; round < 5; round += 1) untilHot(function hotAtRest(n) { return sum(n); });
`;

it('optimizes fully only once the server rests, and by flags that V8 knows', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--trace-opt',
      // Or the functions might have ended before a busy machine has compiled them.
      '--no-concurrent-recompilation',
      '--input-type=module',
      `--eval=${PROGRAM}`,
      new URL('rest.ts', import.meta.url).href,
    ],
    { encoding: 'utf8' },
  );
  const [starting = '', resting = ''] = stdout.split('at rest');
  expect(starting).toMatch(/hotAtStart.*MAGLEV/);
  expect(starting).not.toMatch(/TURBOFAN/);
  expect(resting).toMatch(/hotAtRest.*TURBOFAN/);
  expect(stderr).toBe('');
});
