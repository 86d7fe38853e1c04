import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROUNDS = 15;
const DIST = join(import.meta.dirname, '..', '..', 'packages', 'sdk', 'dist');

const TARGETS = {
  bare: 'data:text/javascript,',
  '@changgu/sdk': pathToFileURL(join(DIST, 'index.js')).href,
  stripe: import.meta.resolve('stripe'),
  replicate: import.meta.resolve('replicate'),
};
type Target = keyof typeof TARGETS;

/** CPU of a process that imports and does nothing else, in milliseconds. */
function importOnce(url: string): number {
  const script = `await import(${JSON.stringify(url)});
    const { user, system } = process.cpuUsage();
    console.log((user + system) / 1000);`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stderr) throw new Error(stderr);
  return Number(stdout);
}

/** CPU of importing each, as a multiple of bare Node: medians of interleaved rounds. Needs the package to be built. */
export function measureImports(): Readonly<Record<Target, number>> {
  const times: Record<Target, number[]> = {
    bare: [],
    '@changgu/sdk': [],
    stripe: [],
    replicate: [],
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of Object.keys(times) as Target[]) {
      times[target].push(importOnce(TARGETS[target]));
    }
  }
  const middle = (target: Target) => times[target].toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  const ratio = (target: Target) => middle(target) / middle('bare');
  return {
    bare: middle('bare'),
    '@changgu/sdk': ratio('@changgu/sdk'),
    stripe: ratio('stripe'),
    replicate: ratio('replicate'),
  };
}
