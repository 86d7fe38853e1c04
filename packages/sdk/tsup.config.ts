import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    catalogue: 'src/catalogue.ts',
    encrypt: 'src/encrypt.ts',
    'node-rsa': 'src/node-rsa.ts',
    testing: 'src/testing.ts',
  },
  format: ['esm'],
  target: 'es2023',
  platform: 'neutral',
  clean: true,
  splitting: true,
  // The contract is private: what is used of it is bundled. Declarations are made by scripts/emit-types.ts.
  noExternal: [/^@changgu\/contract/],
  external: [/^node:/],
  // Workers and Deno know Node's modules by their prefix only.
  removeNodeProtocol: false,
  esbuildOptions(options) {
    options.conditions = ['@changgu/source'];
  },
});
