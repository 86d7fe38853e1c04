import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  target: 'node24',
  platform: 'node',
  clean: true,
  // The document libraries are imported on first use and must stay apart from the start.
  splitting: true,
});
