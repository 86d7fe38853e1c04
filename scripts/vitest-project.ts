import { defineProject } from 'vitest/config';

/** One vitest project per package, all resolving workspace packages to their TypeScript sources. */
export function project(
  name: string,
  options: { testTimeout?: number; setupFiles?: string[] } = {},
) {
  const conditions = ['@changgu/source', 'node', 'import', 'module', 'default'];
  return defineProject({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: ['@changgu/source', 'node', 'import'] } },
    test: {
      name,
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      testTimeout: options.testTimeout ?? 10_000,
      hookTimeout: 60_000,
      ...(options.setupFiles ? { setupFiles: options.setupFiles } : {}),
    },
  });
}
