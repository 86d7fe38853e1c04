import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples', 'scripts'],
    restoreMocks: true,
    unstubEnvs: true,
    // Vitest keeps one core for itself, which on a machine with two would leave the tests only one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
