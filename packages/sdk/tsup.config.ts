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

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** What `#platform` and `#sending` stand for is decided here. */
const platform = (name: 'node' | 'web', sending: 'sending-later' | 'sending-at-once'): Plugin => ({
  name: 'platform',
  setup({ onResolve }) {
    const folder = join(import.meta.dirname, 'src', 'platform');
    onResolve({ filter: /^#platform$/ }, () => ({ path: join(folder, `${name}.ts`) }));
    onResolve({ filter: /^#sending$/ }, () => ({ path: join(folder, `${sending}.ts`) }));
  },
});

/**
 * On Node an import reads one file, and the first call the other: see docs/adr/0040-the-first-call-loads-what-sends.md.
 */
const sending = 'src/shared-parts.ts';
const sendingApart: Plugin = {
  name: 'sending-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/shared-parts\.ts$/ }, () => ({ path: './sending.js', external: true }));
  },
};

/** The classes of errors exist once: the second file has them from the first. */
const errorsOfIndex: Plugin = {
  name: 'errors-of-index',
  setup({ onResolve }) {
    const classes = /\/(changgu|api)-error\.ts$|\/(artifact|job|local|transport)-errors\.ts$/;
    onResolve({ filter: classes }, () => ({ path: './index.js', external: true }));
  },
};

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
  { ...esm, entry: { index }, esbuildPlugins: [platform('node', 'sending-later'), sendingApart] },
  {
    ...esm,
    entry: { sending },
    esbuildPlugins: [platform('node', 'sending-later'), errorsOfIndex],
  },
  { ...esm, entry: { 'index-web': index }, esbuildPlugins: [platform('web', 'sending-at-once')] },
  { ...esm, entry: others, splitting: true },
  { ...esm, entry: { encrypt }, minify: true },
  { ...esm, entry: { webhooks } },
  {
    ...common,
    // What requires is Node, or a test runner on it.
    esbuildPlugins: [platform('node', 'sending-at-once')],
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
