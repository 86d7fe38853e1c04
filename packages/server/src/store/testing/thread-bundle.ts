import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundlePrograms } from '../../../../../scripts/bundle-programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of the store thread as one file: its sources take five times as long to start. */
    storeThread: string;
  }
}

/** Bundles the store thread once per test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = await mkdtemp(join(tmpdir(), 'changgu-thread-'));
  await bundlePrograms({ thread: join(import.meta.dirname, 'lasting-thread.ts') }, outDir);
  project.provide('storeThread', join(outDir, 'thread.js'));
  return () => rm(outDir, { recursive: true, force: true });
}
