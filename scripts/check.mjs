/**
 * The whole check: what must hold before anything lands. One line per step, the output of a step only when it fails;
 * the tests show theirs.
 *
 *   node scripts/check.mjs              everything
 *   node scripts/check.mjs --changed    what the changes since the main branch can have broken
 *   node scripts/check.mjs types build  the steps whose names contain one of these words
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { affectedBy, changedFiles, testFilesFor } from './changed.mjs';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} command
 * @property {string[]} args
 * @property {RegExp} [on] runs only when a file of this kind has changed
 * @property {string} [of] runs only when this package is affected
 */

const source = '--conditions=@changgu/source';

/**
 * It spends most of its time waiting for what it broke, so it runs beside all others, the tests included.
 * @type {Step}
 */
const chaos = {
  name: 'chaos, short form',
  command: 'node',
  args: [source, 'bench/chaos.ts', '--short'],
  of: '@changgu/server',
};

/**
 * The chaos and the tests start what is built, which takes a fraction of the work that its sources take.
 * @type {Step}
 */
const builds = {
  name: 'builds',
  command: 'pnpm',
  args: ['run', '--silent', 'build'],
  on: /^(packages|[^/]*$)/,
};

/** They need nothing of each other, so they run side by side, and beside the tests. The longest come first. */
/** @type {Step[]} */
const independent = [
  {
    name: 'types',
    command: 'pnpm',
    args: ['run', '--silent', 'typecheck'],
    on: /\.[cm]?tsx?$|json$/,
  },
  { name: 'lint rules', command: 'pnpm', args: ['exec', 'oxlint'], on: /\.[cm]?[jt]sx?$|json$/ },
  { name: 'nothing unused', command: 'pnpm', args: ['exec', 'knip'] },
  { name: 'known holes', command: 'node', args: ['scripts/audit-dependencies.mjs'] },
  { name: 'format and style', command: 'pnpm', args: ['exec', 'biome', 'check', '.'] },
  {
    name: 'generated files are up to date',
    command: 'pnpm',
    args: ['run', '--silent', 'generate', '--check'],
    of: '@changgu/sdk',
  },
  {
    name: 'OpenAPI document',
    command: 'node',
    args: [source, 'scripts/lint-openapi.ts'],
    of: '@changgu/contract',
  },
];

const reporters = ['--reporter=minimal', '--reporter=./scripts/summary-reporter.ts'];
const vitest = ['exec', 'vitest', 'run', '--retry=1', ...reporters];
/**
 * A test that fails is tried once more, for machines differ in what keeps them busy; the summary names it. That does
 * not help a set-up, nor a test that met what its first try left, so a few files that failed run once more, alone.
 * @type {Step}
 */
const tests = {
  name: 'tests',
  command: 'pnpm',
  args: [...vitest],
};

/** The summary leaves here the files that failed. */
const failed = join(import.meta.dirname, '..', 'node_modules', '.cache', 'failed-test-files');
/** More of them do not fail by chance. */
const MAX_FAILED = 2;

const every = [chaos, builds, ...independent, tests];

/** What one process of Node has compiled, the dozens after it find: servers that tests start, and generators. */
const shared = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'),
  ...process.env,
};
/**
 * Steps side by side each keep to one core: compilers that spread over all of them do the same work many times. And
 * those in Go collect their garbage less often: nearly all that they make is still needed at the end.
 */
const oneCore = { ...shared, GOMAXPROCS: '1', GOGC: '400' };

/**
 * How far a step gives way (Unix niceness). The chaos breaks what has to answer in time, so it goes first; what
 * runs beside the tests takes what they leave.
 */
const nice = { chaos: 0, builds: 0, tests: 5, independent: 10 };

/** How long the rest of a step's output may take. */
const AFTER_EXIT_MS = 5_000;

const started = Date.now();
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false } },
});
const wanted = await selectSteps(values.changed);
const outcomes = await Promise.all([
  runBuildsThenWhatStartsThem(),
  runTogether(wanted.filter((step) => independent.includes(step))),
]);
if (!outcomes.every(Boolean)) process.exit(1);
console.log(`All checks passed in ${((Date.now() - started) / 1000).toFixed(0)} s.`);

/** @returns {Promise<Step[]>} */
async function selectSteps(/** @type {boolean} */ onlyChanged) {
  const named = every.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (named.length === 0) {
    const names = every.map(({ name }) => name).join('; ');
    console.error(`No step is named ${words.join(' or ')}. There are: ${names}`);
    process.exit(2);
  }
  if (!onlyChanged) return named;
  const { base, files } = changedFiles();
  console.log(`${files.length} files changed since ${base.slice(0, 9)}.`);
  const affected = affectedBy(files);
  const touched = named.filter(
    ({ on, of }) =>
      files.length > 0 &&
      (on === undefined || files.some((file) => on.test(file))) &&
      (of === undefined || affected.has(of)),
  );
  if (!touched.includes(tests)) return touched;
  const testFiles = testFilesFor(base, affected);
  tests.args.push(...testFiles);
  return testFiles.length > 0 ? touched : touched.filter((step) => step !== tests);
}

async function runBuildsThenWhatStartsThem() {
  const built = !wanted.includes(builds) || (await run(builds, { by: nice.builds }));
  if (!built) return false;
  const passed = await Promise.all([
    !wanted.includes(chaos) || run(chaos, { by: nice.chaos }),
    !wanted.includes(tests) || runTests(),
  ]);
  return passed.every(Boolean);
}

async function runTests() {
  rmSync(failed, { force: true });
  if (await run(tests, { live: true, by: nice.tests })) return true;
  const files = existsSync(failed) ? readFileSync(failed, 'utf8').split('\n') : [];
  if (files.length === 0 || files.length > MAX_FAILED) return false;
  const name = 'test files that failed, once more';
  return run({ ...tests, name, args: [...vitest, ...files] }, { live: true, by: nice.tests });
}

async function runTogether(/** @type {Step[]} */ steps) {
  const waiting = [...steps];
  let passed = true;
  await Promise.all(
    Array.from({ length: Math.max(1, availableParallelism() - 1) }, async () => {
      for (let step = waiting.shift(); step && passed; step = waiting.shift()) {
        passed = (await run(step, { by: nice.independent })) && passed;
      }
    }),
  );
  return passed;
}

/** @returns {Promise<boolean>} whether it passed */
async function run(
  /** @type {Step} */ { name, command, args },
  /** @type {{ live?: boolean, by: number }} */ { live = false, by },
) {
  const began = Date.now();
  const child = spawn(command, args, {
    env: live ? shared : oneCore,
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    shell: process.platform === 'win32',
  });
  // Never more urgent than this process itself, which needs a right for that.
  if (child.pid !== undefined) setPriority(child.pid, Math.max(getPriority(), by));
  /** @type {Buffer[]} */
  const output = [];
  child.stdout?.on('data', (bytes) => output.push(bytes));
  child.stderr?.on('data', (bytes) => output.push(bytes));
  const closed = once(child, 'close');
  const [code] = await once(child, 'exit');
  // A process that the step left behind holds its output open for ever.
  await Promise.race([closed, delay(AFTER_EXIT_MS, null, { ref: false })]);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  console.log(
    code === 0
      ? `ok    ${name} (${seconds} s)`
      : `FAIL  ${name} (${seconds} s): ${[command, ...args].join(' ')}\n`,
  );
  if (code !== 0) process.stdout.write(Buffer.concat(output));
  child.stdout?.destroy();
  child.stderr?.destroy();
  return code === 0;
}
