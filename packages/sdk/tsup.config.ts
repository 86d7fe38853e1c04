import { defineConfig, type Options } from 'tsup';

const entry = {
  index: 'src/index.ts',
  catalogue: 'src/catalogue.ts',
  encrypt: 'src/encrypt.ts',
  webhooks: 'src/webhooks.ts',
  'node-rsa': 'src/node-rsa.ts',
  testing: 'src/testing.ts',
  'platform-node': 'src/platform/node.ts',
};

const common: Options = {
  target: 'es2023',
  platform: 'neutral',
  // The contract is private: what is used of it is bundled. Declarations are made by scripts/emit-types.ts.
  noExternal: [/^@changgu\/contract/],
  // ESM: which platform it is, is decided where the package is used, by the conditions of its `imports`.
  external: [/^node:/],
  // Workers and Deno know Node's modules by their prefix only.
  removeNodeProtocol: false,
};

const fromSource: NonNullable<Options['esbuildOptions']> = (options) => {
  options.conditions = ['@changgu/source'];
};

/** A page gets its encryption alone, and a receiver its check: a shared chunk would bring the table of errors along. */
const { encrypt, webhooks, ...others } = entry;

export default defineConfig([
  {
    ...common,
    entry: { ...others, 'platform-web': 'src/platform/web.ts' },
    external: [/^node:/, '#platform'],
    format: ['esm'],
    splitting: true,
    esbuildOptions: fromSource,
  },
  {
    ...common,
    entry: { encrypt, webhooks },
    format: ['esm'],
    splitting: false,
    esbuildOptions: fromSource,
  },
  {
    ...common,
    entry,
    outDir: 'dist/cjs',
    format: ['cjs'],
    // What requires is Node, or a test runner on it.
    esbuildPlugins: [
      {
        name: 'platform',
        setup({ onResolve }) {
          onResolve({ filter: /^#platform$/ }, () => ({
            path: './platform-node.js',
            external: true,
          }));
        },
      },
    ],
    // A folder that says `commonjs` is CommonJS under .js, its declarations included.
    outExtension: () => ({ js: '.js' }),
    esbuildOptions(options) {
      options.conditions = ['@changgu/source'];
      // Jest runs no import() without a flag.
      options.supported = { 'dynamic-import': false };
    },
  },
]);
