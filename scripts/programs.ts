import { dirname, join } from 'node:path';
import { isNewer } from './newer.ts';

const ROOT = dirname(import.meta.dirname);

interface Program {
  readonly source: string;
  readonly built: string;
  /** Packages whose sources go into it, its own first, whose list of parts a build writes last. */
  readonly packages: readonly string[];
}

const SERVER: Program = {
  source: 'server/src/main.ts',
  built: 'server/dist/main.js',
  packages: ['server', 'contract', 'simulators', 'console', 'sdk'],
};
const CLI: Program = {
  source: 'cli/src/main.ts',
  built: 'cli/bin/changgu.cjs',
  packages: ['cli', 'contract', 'sdk'],
};
const BRIDGE: Program = {
  source: 'mcp-bridge/src/main.ts',
  built: 'mcp-bridge/dist/main.js',
  packages: ['mcp-bridge', 'contract', 'sdk'],
};

const known = new Map<Program, readonly string[]>();

/**
 * Node's arguments for a program. Where the build is up to date, as after the check has built everything, it is the
 * build, which starts with half the work; otherwise the sources.
 */
function argumentsFor(program: Program): readonly string[] {
  const found = known.get(program) ?? find(program);
  known.set(program, found);
  return found;
}

let sdkFlags: readonly string[] | undefined;

/** Node's flags for a program that imports the SDK: its build where that is up to date, otherwise its sources. */
export function flagsForSdk(): readonly string[] {
  const sources = ['sdk', 'contract'].map((name) => join(ROOT, 'packages', name, 'src'));
  const built = join(ROOT, 'packages', 'sdk', 'dist', 'index.d.ts');
  sdkFlags ??= isNewer(built, sources) ? [] : ['--conditions=@changgu/source'];
  return sdkFlags;
}

function find({ source, built, packages }: Program): readonly string[] {
  const at = (...path: string[]) => join(ROOT, 'packages', ...path);
  const sources = packages.map((name) => at(name, 'src'));
  const isBuilt = isNewer(at(packages[0] ?? '', 'dist', 'sbom.cdx.json'), [
    ...sources,
    join(ROOT, 'examples', 'own-institution'),
  ]);
  return isBuilt ? [at(built)] : ['--conditions=@changgu/source', at(source)];
}

/** `changgu-server` */
export const serverProgram = () => argumentsFor(SERVER);
/** `changgu` */
export const cliProgram = () => argumentsFor(CLI);
/** `changgu-mcp` */
export const bridgeProgram = () => argumentsFor(BRIDGE);
