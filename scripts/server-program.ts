import { dirname, join } from 'node:path';
import { isNewer } from './newer.ts';

const ROOT = dirname(import.meta.dirname);
const PACKAGES = join(ROOT, 'packages');
const SERVER = join(PACKAGES, 'server');
const SOURCES = [
  ...['server', 'contract', 'simulators', 'console', 'sdk'].map((name) =>
    join(PACKAGES, name, 'src'),
  ),
  join(ROOT, 'examples', 'own-institution'),
];
/** Written last by a build. */
const BUILT = join(SERVER, 'dist', 'sbom.cdx.json');

let program: readonly string[] | undefined;

/**
 * Node's arguments for a command of `changgu-server`. Where the build is up to date, as after the check has built
 * everything, it is the build, which starts with half the work; otherwise the sources.
 */
export function serverProgram(): readonly string[] {
  program ??= isNewer(BUILT, SOURCES)
    ? [join(SERVER, 'dist', 'main.js')]
    : ['--conditions=@changgu/source', join(SERVER, 'src', 'main.ts')];
  return program;
}
