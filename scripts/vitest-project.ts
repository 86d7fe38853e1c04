import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineProject } from 'vitest/config';

/** One vitest project per package, all resolving workspace packages to their TypeScript sources. */
export function project(
  name: string,
  options: { testTimeout?: number; setupFiles?: string[]; globalSetup?: string[] } = {},
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
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      testTimeout: options.testTimeout ?? 60_000,
      hookTimeout: 120_000,
      restoreMocks: true,
      unstubEnvs: true,
      // Vitest keeps one core for itself, which on a machine with two would leave the tests only one.
      maxWorkers: Math.max(2, availableParallelism() - 1),
      ...(options.setupFiles ? { setupFiles: options.setupFiles } : {}),
      ...(options.globalSetup ? { globalSetup: options.globalSetup } : {}),
    },
  });
}
