// The whole check: what must hold before anything lands. One line per step, the output of a step only when it fails.
import { spawnSync } from 'node:child_process';

/** @type {[name: string, command: string, args: string[]][]} */
const steps = [
  ['generated files are up to date', 'pnpm', ['run', '--silent', 'generate', '--check']],
  ['format and style', 'pnpm', ['exec', 'biome', 'check', '.']],
  ['types', 'pnpm', ['run', '--silent', 'typecheck']],
  ['rules of the house', 'pnpm', ['exec', 'oxlint']],
  ['nothing unused', 'pnpm', ['exec', 'knip']],
  ['builds', 'pnpm', ['run', '--silent', 'build']],
  ['OpenAPI document', 'node', ['--conditions=@changgu/source', 'scripts/lint-openapi.ts']],
  ['tests', 'pnpm', ['exec', 'vitest', 'run']],
  ['chaos, short form', 'node', ['--conditions=@changgu/source', 'bench/chaos.ts', '--short']],
];

const only = process.argv.slice(2);
const started = Date.now();
for (const [name, command, args] of steps) {
  if (only.length > 0 && !only.some((word) => name.includes(word))) continue;
  const began = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  if (status === 0) {
    console.log(`ok    ${name} (${seconds} s)`);
    continue;
  }
  console.log(`FAIL  ${name} (${seconds} s): ${command} ${args.join(' ')}\n`);
  process.stdout.write(stdout ?? '');
  process.stderr.write(stderr ?? '');
  process.exit(1);
}
console.log(`All checks passed in ${((Date.now() - started) / 1000).toFixed(0)} s.`);
