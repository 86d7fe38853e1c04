import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
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
 * Node's own modules, each loaded when something of it is used, and no export read before. Importing one reads every
 * export, and so loads what is behind the lazy ones: with `node:http` and `node:util` that is more than all of this
 * program.
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
      const { default: main } = await import(path);
      if (typeof main === 'function') {
        return { contents: `module.exports = process.getBuiltinModule('${path}');` };
      }
      // Behind a prototype, since the bundler copies what a module has of its own for each file that imports it.
      return {
        contents: `
          const all = () => process.getBuiltinModule('${path}');
          module.exports = Object.create(new Proxy({}, {
            get: (_, name) => all()[name],
            has: (_, name) => name in all(),
            set: (_, name, value) => Reflect.set(all(), name, value),
          }));`,
      };
    });
  },
};

/** Packages that few commands need, each a file of its own that is read when it is asked for. */
const LEAVES = [
  '@bomb.sh/tab',
  '@clack/core',
  '@clack/prompts',
  'ofetch',
  'open',
  'openid-client',
  'smol-toml',
  'undici',
];

const FOOTER = `const { default: main } = module.exports; if (main) module.exports = Object.assign(main, module.exports);`;

/** Whose dependencies they are. */
const OWNERS = ['.', '../sdk'].map((dir) => join(import.meta.dirname, dir));

const leavesApart: Plugin = {
  name: 'leaves-apart',
  setup({ onResolve, initialOptions: { outdir = '' } }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) =>
      LEAVES.includes(path) && kind !== 'entry-point'
        ? { path: `../leaves/${nameOf(path)}.cjs`, external: true }
        : null,
    );
    onResolve({ filter: /\/catalogue\.json$/ }, ({ path, resolveDir }) => {
      const leaves = join(outdir, '..', 'leaves');
      mkdirSync(leaves, { recursive: true });
      copyFileSync(resolve(resolveDir, path), join(leaves, 'catalogue.json'));
      return { path: '../leaves/catalogue.json', external: true };
    });
  },
};

/** An entry is the name of a package, not a file. */
const leavesFound: Plugin = {
  name: 'leaves-found',
  setup(build) {
    build.onResolve({ filter: /^[@a-z]/ }, async ({ path, kind }) => {
      if (kind !== 'entry-point') return null;
      const found = OWNERS.map((resolveDir) =>
        build.resolve(path, { resolveDir, kind: 'import-statement' }),
      );
      const [one] = (await Promise.all(found)).filter(({ errors }) => errors.length === 0);
      return one ?? null;
    });
  },
};

function nameOf(packageName: string): string {
  return packageName.replace('@', '').replaceAll(/[/.]/g, '-');
}

/** Tests build elsewhere. */
const OUT_DIR = process.env.OUT_DIR ?? 'dist';

const shared: Options = {
  target: 'node22',
  platform: 'node',
  minify: true,
  clean: true,
  // Read by scripts/third-party.ts.
  metafile: true,
  // Or child_process could not be told from a package of that name.
  removeNodeProtocol: false,
  // Hundreds of small files cost a start more than what is in them. Both of these bring a file that is not JavaScript.
  noExternal: [/^(?!@napi-rs\/keyring$|jq-wasm$)/],
  external: ['@napi-rs/keyring', 'jq-wasm'],
  esbuildOptions(options) {
    options.conditions = ['@changgu/source'];
    // `import()` is a `require` there: the loader of ES modules would cost a start more than what it loads.
    options.supported = { 'dynamic-import': false };
  },
};

/**
 * The program is one CommonJS file, which starts fastest: of what a module would run when it is loaded, a bundle runs
 * only what a command asks for, and Node keeps its compiled code. See docs/adr/0037-the-command-line-is-one-file.md.
 */
export default defineConfig([
  {
    ...shared,
    // So small that they use only what Node has loaded by then.
    entry: { 'static-help': 'src/static-help.ts', 'code-cache': 'src/code-cache.ts' },
    outDir: join(OUT_DIR, 'front'),
    format: 'cjs',
    splitting: false,
    clean: ['static-help.cjs', 'code-cache.cjs'],
    // Nothing in it is another's, and the program writes a file of that name.
    metafile: false,
  },
  {
    ...shared,
    entry: { main: 'src/main.ts' },
    outDir: join(OUT_DIR, 'front'),
    format: 'cjs',
    splitting: false,
    clean: ['main.cjs'],
    // One function has no address of its own; `src/code-cache.ts` hands it the file's.
    define: { 'import.meta.url': 'module.filename' },
    esbuildPlugins: [leavesApart, noSubprograms, builtinsAsked],
    async onSuccess() {
      const bundle = join(OUT_DIR, 'front', 'main.cjs');
      const source = readFileSync(bundle, 'utf8');
      const digest = createHash('sha256').update(source).digest('hex');
      // As `src/code-cache.ts` reads it: one function, and its digest as the last word.
      writeFileSync(bundle, `(function(require,module,exports){${source}\n})//${digest}`);
    },
  },
  {
    ...shared,
    // tsup looks for a file; what is built are the packages.
    entry: ['src/main.ts'],
    esbuildOptions(options, context) {
      shared.esbuildOptions?.(options, context);
      options.entryPoints = Object.fromEntries(LEAVES.map((name) => [nameOf(name), name]));
    },
    outDir: join(OUT_DIR, 'leaves'),
    format: 'cjs',
    splitting: false,
    clean: ['*.cjs'],
    // What is imported by default from a file of this kind is all of it: the default, with what has a name.
    footer: { js: FOOTER },
    esbuildPlugins: [leavesFound, builtinsAsked],
  },
]);
