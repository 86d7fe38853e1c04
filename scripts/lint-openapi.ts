import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOpenApi, INSTITUTIONS, OPERATIONS } from '../packages/contract/src/schemas.ts';

/** Writes the OpenAPI document and lets redocly judge it with the rules of redocly.yaml. */
const folder = mkdtempSync(join(tmpdir(), 'changgu-openapi-'));
const file = join(folder, 'openapi.json');
writeFileSync(
  file,
  JSON.stringify(buildOpenApi({ operations: OPERATIONS, institutions: INSTITUTIONS })),
);
const { status } = spawnSync(
  'pnpm',
  ['exec', 'redocly', 'lint', '--config', 'redocly.yaml', file],
  {
    stdio: 'inherit',
  },
);
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
