import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { main: 'src/main.ts', index: 'src/index.ts' },
  format: 'esm',
  target: 'node22',
  platform: 'node',
  dts: false,
  splitting: true,
  clean: true,
  // Read by scripts/third-party.ts.
  metafile: true,
  // The contract is private: what is used of it is bundled.
  noExternal: [/^@changgu\/contract/],
  // Dependencies are installed beside it; the keyring is a native module that may be missing.
  external: [
    '@napi-rs/keyring',
    /^@changgu\/sdk/,
    /^@modelcontextprotocol\//,
    'openid-client',
    'zod',
  ],
});
