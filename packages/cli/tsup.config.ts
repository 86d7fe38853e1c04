import { globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Commander loads child_process for subcommands that are programs of their own; there are none here. */
const noSubprograms: Plugin = {
  name: 'no-subprograms',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]lib[\\/]/.test(importer) ? { path: 'none', namespace: 'none' } : null,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
  },
};

/**
 * Node's own modules as they are, and of each only what is used. An import reads every export, and so loads what is
 * behind the lazy ones: with `node:http` and `node:util` that is more than all of this program.
 */
const builtinsAsked: Plugin = {
  name: 'builtins-asked',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z0-9_:/]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return null;
      return { path, namespace: kind === 'require-call' ? 'builtin' : 'builtin-import' };
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
    onLoad({ filter: /.*/, namespace: 'builtin-import' }, async ({ path }) => {
      const { default: _, ...named } = await import(path);
      const names = Object.keys(named).filter((name) => name !== 'module.exports');
      return {
        contents: [
          `const all = process.getBuiltinModule('${path}'); export default all;`,
          ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})();`),
        ].join('\n'),
      };
    });
  },
};

const src = join(import.meta.dirname, 'src');

/** What the front loads when it is needed, built apart. */
const modules = [
  'run-command.ts',
  'tell-failure.ts',
  'pickers/pick-missing.ts',
  ...globSync('commands/**/*.ts', { cwd: src }),
];

const modulesApart: Plugin = {
  name: 'modules-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const file = relative(src, resolve(resolveDir, path));
      if (kind !== 'dynamic-import' || !modules.includes(file)) return null;
      return { path: `../modules/${file.replace(/ts$/, 'js')}`, external: true };
    });
  },
};

const shared: Options = {
  target: 'node22',
  platform: 'node',
  minify: true,
  clean: true,
  // Read by scripts/third-party.ts.
  metafile: true,
  // Or child_process could not be told from a package of that name.
  removeNodeProtocol: false,
  // Hundreds of small files cost a start more than what is in them. The keyring is a native module.
  noExternal: [/^(?!@napi-rs\/keyring$)/],
  external: ['@napi-rs/keyring'],
  esbuildOptions(options) {
    options.conditions = ['@changgu/source'];
  },
};

/**
 * The front parses and prints help. It is CommonJS, which starts fastest. Everything else is ES modules that share
 * chunks; each is loaded by the command that needs it.
 */
export default defineConfig([
  {
    ...shared,
    entry: { main: 'src/main.ts', 'static-help': 'src/static-help.ts' },
    outDir: 'dist/front',
    format: 'cjs',
    esbuildPlugins: [modulesApart, noSubprograms, builtinsAsked],
  },
  {
    ...shared,
    entry: Object.fromEntries(
      modules.map((file) => [file.replace(/\.ts$/, ''), join('src', file)]),
    ),
    outDir: 'dist/modules',
    format: 'esm',
    splitting: true,
    // What every command needs becomes one chunk instead of one for each set of commands that share a module.
    inject: [join(src, 'run-command.ts')],
    esbuildPlugins: [builtinsAsked],
  },
]);
