import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    main: 'src/main.ts',
    index: 'src/index.ts',
    connector: 'src/connector.ts',
    // Started as a thread by store/sqlite.ts, which looks for it beside itself.
    'sqlite-thread': 'src/store/sqlite-thread.ts',
  },
  format: 'esm',
  target: 'node24',
  // The contract and the simulators are private packages: their sources become chunks of this one.
  // Kysely and TypeBox are hundreds of small files, which cost a start more than all the rest.
  noExternal: [/^@changgu\//, /^kysely/, /^typebox/],
  esbuildOptions(options) {
    options.conditions = ['@changgu/source'];
  },
  // What a command does not need is not loaded: dev, serve, simulators, metrics are chunks.
  splitting: true,
  // node:sqlite has no other name.
  removeNodeProtocol: false,
  dts: {
    entry: { index: 'src/index.ts', connector: 'src/connector.ts' },
    resolve: [/^@changgu\/contract/, /^\.\.?\//],
  },
  clean: true,
});
