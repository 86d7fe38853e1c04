import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';
import { keepTemporaryFilesInMemory } from './scripts/memory-folder.ts';

keepTemporaryFilesInMemory();

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples', 'scripts'],
    sequence: { sequencer: LongestFirst },
  },
});
