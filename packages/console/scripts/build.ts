/**
 * Builds the console into `dist`.
 *
 *   node scripts/build.ts              always
 *   node scripts/build.ts --if-stale   only when a source is newer than what was built
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'dist');
const SOURCES = ['console/src', 'console/index.html', 'console/scripts', 'contract/src', 'sdk/src'];

if (!process.argv.includes('--if-stale') || isStale()) await buildConsole();

function isStale(): boolean {
  const built = statSync(join(OUTPUT, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
  return built === undefined || SOURCES.some((source) => newest(join(ROOT, '..', source)) > built);
}

/** Of a file, or of a folder and all in it: a deleted file makes its folder newer. */
function newest(path: string): number {
  const own = statSync(path);
  if (!own.isDirectory()) return own.mtimeMs;
  return Math.max(own.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Beside the old files and then in their place, so that a server never reads half of them. */
async function buildConsole(): Promise<void> {
  const draft = `${OUTPUT}.${process.pid}`;
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    // Below any path prefix: every address is relative to the file that names it.
    base: './',
    resolve: { conditions: ['@changgu/source', 'browser', 'import', 'default'] },
    build: {
      outDir: draft,
      // The server's build adds it to its list of licences.
      license: { fileName: 'third-party.json' },
      target: 'es2023',
      cssTarget: ['chrome125', 'firefox128', 'safari18'],
      cssCodeSplit: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  mkdirSync(OUTPUT, { recursive: true });
  const old = `${draft}.old`;
  renameSync(OUTPUT, old);
  renameSync(draft, OUTPUT);
  rmSync(old, { recursive: true, force: true });
}
