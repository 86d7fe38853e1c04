import { globSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig, type Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const sdk = createRequire(createRequire(import.meta.url).resolve('@changgu/sdk/package.json'));
const folder = (name: string) => dirname(sdk.resolve(`${name}/package.json`));

/** ofetch's index also makes instances for the global fetch, and so loads Node's own undici. */
function ofetchFactory(dir: string): string {
  const index = readFileSync(join(dir, 'dist/index.mjs'), 'utf8');
  const [, name, file] = /^import \{ (\w+) as createFetch \} from '\.(.+)';$/m.exec(index) ?? [];
  if (!file) throw new Error('ofetch is built in another way: look at its index');
  return `export { ${name} as createFetch } from '${dir}/dist${file}';`;
}

/** undici's index also loads mocks, WebSockets, caches and more. */
function undiciParts(dir: string): string {
  return `
    import Agent from '${dir}/lib/dispatcher/agent.js';
    import EnvHttpProxyAgent from '${dir}/lib/dispatcher/env-http-proxy-agent.js';
    import ProxyAgent from '${dir}/lib/dispatcher/proxy-agent.js';
    import { fetch } from '${dir}/lib/web/fetch/index.js';
    import { Headers } from '${dir}/lib/web/fetch/headers.js';
    export { Agent, EnvHttpProxyAgent, ProxyAgent, fetch, Headers };
    export default {};`;
}

/** Of the SDK's network packages, the parts that it uses: all of them are half the time of a command (bench/cli.ts). */
const networkParts: Plugin = {
  name: 'network-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(ofetch|undici)$/ }, ({ path }) => ({ path, namespace: 'parts' }));
    onLoad({ filter: /.*/, namespace: 'parts' }, ({ path }) => {
      const dir = folder(path);
      return {
        contents: path === 'ofetch' ? ofetchFactory(dir) : undiciParts(dir),
        resolveDir: dir,
      };
    });
  },
};

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
const rooms = ['cli.ts', 'tell-failure.ts', ...globSync('commands/**/*.ts', { cwd: src })];

const roomsApart: Plugin = {
  name: 'rooms-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      const file = relative(src, resolve(resolveDir, path));
      if (kind !== 'dynamic-import' || !rooms.includes(file)) return null;
      return { path: `../rooms/${file.replace(/ts$/, 'js')}`, external: true };
    });
  },
};

const shared: Options = {
  target: 'node22',
  platform: 'node',
  minify: true,
  clean: true,
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
 * The front parses and prints help: one CommonJS file, which starts fastest. The rooms are ES modules that share
 * chunks; each is loaded by the command that needs it.
 */
export default defineConfig([
  {
    ...shared,
    entry: { main: 'src/main.ts' },
    outDir: 'dist/front',
    format: 'cjs',
    esbuildPlugins: [roomsApart, noSubprograms, builtinsAsked],
  },
  {
    ...shared,
    entry: Object.fromEntries(rooms.map((file) => [file.replace(/\.ts$/, ''), join('src', file)])),
    outDir: 'dist/rooms',
    format: 'esm',
    splitting: true,
    // What every command needs becomes one chunk instead of one for each set of commands that share a module.
    inject: [join(src, 'cli.ts')],
    esbuildPlugins: [networkParts, builtinsAsked],
  },
]);
