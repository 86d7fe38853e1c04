/** Writes everything that follows from the sources; with --check fails when a file on disk differs. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const GENERATORS = [
  ['--conditions=@changgu/source', join(ROOT, 'packages', 'contract', 'scripts', 'generate.ts')],
  // Reads what the first one wrote.
  [join(ROOT, 'scripts', 'sdk-reference.ts')],
];

for (const generator of GENERATORS) {
  const args = [...generator, ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
