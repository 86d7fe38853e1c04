import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'tsup';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the store thread as one file: its sources take five times as long to start. */
    storeThread: string;
  }
}

/** Bundles the store thread once per test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'changgu-thread-'));
  await build({
    config: false,
    silent: true,
    entry: { thread: join(import.meta.dirname, 'lasting-thread.ts') },
    outDir,
    format: 'esm',
    target: 'node24',
    outExtension: () => ({ js: '.mjs' }),
    noExternal: [/./],
    removeNodeProtocol: false,
    shims: true,
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    esbuildOptions(options) {
      options.conditions = ['@changgu/source'];
    },
  });
  project.provide('storeThread', join(outDir, 'thread.mjs'));
  return () => rm(outDir, { recursive: true, force: true });
}
