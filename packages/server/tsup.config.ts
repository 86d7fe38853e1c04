import { defineConfig } from 'tsup';

// Declarations are made by scripts/emit-types.ts.
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    connector: 'src/connector.ts',
    // Started as a thread by store/sqlite.ts, which looks for it beside itself.
    'sqlite-thread': 'src/store/backends/sqlite-thread.ts',
    // Started as a process by the connector contract suite, which looks for it beside itself.
    'connector-run-process': 'src/institutions/contract/connector-run-process.ts',
  },
  format: 'esm',
  target: 'node24',
  // The contract and the simulators are private packages: their sources become chunks of this one.
  // Libraries of many small files cost a start more than all the rest: they become one file each.
  noExternal: [
    /^@changgu\//,
    /^kysely/,
    /^typebox/,
    /^ajv/,
    /^jose/,
    /^openid-client/,
    /^oauth4webapi/,
    /^asn1js/,
    /^@peculiar\//,
    /^@opentelemetry\/api/,
    // Of large libraries only what is used, in chunks that most servers never load.
    /^@modelcontextprotocol\//,
    /^zod/,
    /^@scalar\//,
    /^@simplewebauthn\//,
    /^pdfkit/,
    /^write-excel-file/,
    /^node-forge/,
  ],
  esbuildOptions(options) {
    options.conditions = ['@changgu/source'];
    // A process keeps the text of all its code, so comments and indentation would be memory. Lines stay short, so that
    // a stack still says where; names stay as they are.
    options.minifyWhitespace = true;
    options.lineLimit = 120;
  },
  // CommonJS inside the chunks asks for Node's own modules with it.
  banner: {
    js: "import { createRequire as createBundledRequire } from 'node:module'; const require = createBundledRequire(import.meta.url);",
  },
  // What a command does not need is not loaded: dev, serve, simulators, metrics are chunks.
  splitting: true,
  // node:sqlite has no other name.
  removeNodeProtocol: false,
  clean: true,
  // Read by scripts/third-party.ts.
  metafile: true,
});
