import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineProject } from 'vitest/config';

/** One vitest project per package, all resolving workspace packages to their TypeScript sources. */
export function project(
  name: string,
  options: {
    include?: string[];
    setupFiles?: string[];
    globalSetup?: string[];
  } = {},
) {
  // `import` must not be named: workers get these as --conditions, and then a CommonJS require() finds an ES module.
  // Nor `module`: Node knows no such condition, and some packages keep bundler-only files behind it.
  const conditions = ['@changgu/source', 'node'];
  return defineProject({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: ['@changgu/source', 'node'] } },
    test: {
      name,
      // No module is mocked, so files share their process and what they import.
      isolate: false,
      env: {
        NODE_COMPILE_CACHE: join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'),
      },
      include: options.include ?? ['src/**/*.test.ts', 'test/**/*.test.ts'],
      testTimeout: 60_000,
      hookTimeout: 120_000,
      restoreMocks: true,
      unstubEnvs: true,
      // One more than there are cores: a test that waits for a process or a timer leaves its core to another.
      maxWorkers: availableParallelism() + 1,
      ...(options.setupFiles ? { setupFiles: options.setupFiles } : {}),
      ...(options.globalSetup ? { globalSetup: options.globalSetup } : {}),
    },
  });
}
