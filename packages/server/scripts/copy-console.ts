/** Puts the built console into the package: it is served from there, and whoever installs it builds nothing. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '..', '..', 'console');
const target = join(import.meta.dirname, '..', 'dist', 'console');
const build = [
  '--conditions=@changgu/source',
  join(source, 'scripts', 'build.ts').replaceAll('\\', '/'),
  '--if-stale',
];

execFileSync(process.execPath, build, { stdio: 'inherit' });
rmSync(target, { recursive: true, force: true });
cpSync(join(source, 'dist'), target, { recursive: true });
