import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  // What a command does not need is not loaded: every command is a chunk.
  splitting: true,
  minify: true,
  clean: true,
  // Hundreds of small files cost a start more than what is in them. The keyring is a native module.
  noExternal: [/^(?!@napi-rs\/keyring$)/],
  external: ['@napi-rs/keyring'],
  esbuildOptions(options) {
    options.conditions = ['@changgu/source'];
  },
  // undici and others are CommonJS and call require().
  banner: {
    js: "import{createRequire as $createRequire}from'node:module';const require=$createRequire(import.meta.url);",
  },
});
