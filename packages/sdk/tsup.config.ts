import { join } from 'node:path';
import { defineConfig, type Options } from 'tsup';

const entry = {
  index: 'src/index.ts',
  catalogue: 'src/catalogue.ts',
  encrypt: 'src/encrypt.ts',
  webhooks: 'src/webhooks.ts',
  'node-rsa': 'src/node-rsa.ts',
  testing: 'src/testing.ts',
};

const common: Options = {
  target: 'es2023',
  platform: 'neutral',
  // The contract is private: what is used of it is bundled. Declarations are made by scripts/emit-types.ts.
  noExternal: [/^@changgu\/contract/],
  external: [/^node:/],
  // Workers and Deno know Node's modules by their prefix only.
  removeNodeProtocol: false,
};

/** What `#platform` stands for is decided here: one file for each is read faster than two that belong together. */
const platform = (name: 'node' | 'web'): Pick<Options, 'esbuildPlugins'> => ({
  esbuildPlugins: [
    {
      name: 'platform',
      setup({ onResolve }) {
        const path = join(import.meta.dirname, 'src', 'platform', `${name}.ts`);
        onResolve({ filter: /^#platform$/ }, () => ({ path }));
      },
    },
  ],
});

const source = ['@changgu/source'];
const esm: Options = {
  ...common,
  format: ['esm'],
  splitting: false,
  esbuildOptions(options) {
    options.conditions = source;
  },
};

/** A page gets its encryption alone, and a receiver its check: a shared chunk would bring the table of errors along. */
const { index, encrypt, webhooks, ...others } = entry;

export default defineConfig([
  { ...esm, ...platform('node'), entry: { index } },
  { ...esm, ...platform('web'), entry: { 'index-web': index } },
  { ...esm, entry: others, splitting: true },
  { ...esm, entry: { encrypt }, minify: true },
  { ...esm, entry: { webhooks } },
  {
    ...common,
    // What requires is Node, or a test runner on it.
    ...platform('node'),
    entry,
    outDir: 'dist/cjs',
    format: ['cjs'],
    // A folder that says `commonjs` is CommonJS under .js, its declarations included.
    outExtension: () => ({ js: '.js' }),
    esbuildOptions(options) {
      options.conditions = source;
      // Jest runs no import() without a flag.
      options.supported = { 'dynamic-import': false };
    },
  },
]);
