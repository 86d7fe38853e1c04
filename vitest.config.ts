import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples', 'scripts'],
    sequence: { sequencer: LongestFirst },
  },
});
