import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = dirname(import.meta.dirname);
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'changgu-walls-'));
  // The probe files stand alone, so there is no program to ask for types.
  const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8')
    .replace('"typeAware": true', '"typeAware": false')
    .replace(/^.*"\$schema".*$/m, '');
  writeFileSync(join(copy, '.oxlintrc.json'), config);
  cpSync(join(root, 'tsconfig.json'), join(copy, 'tsconfig.json'));
});

afterAll(() => rmSync(copy, { recursive: true }));

function lint(file: string, specifier: string) {
  const path = join(copy, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `import * as it from '${specifier}';\nexport const used = it;\n`);
  const oxlint = join(root, 'node_modules', '.bin', 'oxlint');
  const { status, stdout } = spawnSync(oxlint, [file], { cwd: copy, encoding: 'utf8' });
  return { refused: status !== 0 && stdout.includes('no-restricted-imports'), stdout };
}

describe('the lint walls', () => {
  it.each([
    ['packages/contract/src/probe.ts', '@changgu/sdk'],
    ['packages/contract/src/probe.ts', 'node:fs'],
    ['packages/simulators/src/probe.ts', '@changgu/contract'],
    ['packages/sdk/src/probe.ts', '@changgu/server'],
    ['packages/sdk/src/probe.ts', '@changgu/contract/schemas'],
    ['packages/cli/src/probe.ts', '@changgu/contract'],
    ['packages/mcp-bridge/src/probe.ts', '@changgu/server'],
    ['packages/console/src/probe.tsx', '@changgu/server'],
    ['packages/console/src/api/probe.ts', '@changgu/sdk'],
    ['packages/console/src/api/probe.ts', 'node:fs'],
    ['packages/server/src/jobs/probe.ts', '@changgu/sdk'],
    ['packages/server/src/jobs/probe.ts', 'kysely'],
    ['packages/server/src/jobs/probe.ts', 'fastify'],
    ['packages/server/src/http/probe.ts', 'node:sqlite'],
    ['packages/server/src/store/probe.ts', 'fastify'],
  ])('%s may not import %s', (file, specifier) => {
    const { refused, stdout } = lint(file, specifier);
    expect(refused, stdout).toBe(true);
  });

  it.each([
    ['packages/sdk/src/probe.ts', '@changgu/contract'],
    ['packages/cli/src/probe.ts', '@changgu/sdk/catalogue'],
    ['packages/cli/src/probe.ts', '@changgu/contract/language'],
    ['packages/server/src/store/probe.ts', 'kysely'],
    ['packages/server/src/http/probe.ts', 'fastify'],
    ['packages/server/test/probe.ts', '@changgu/sdk'],
  ])('%s may import %s', (file, specifier) => {
    const { refused, stdout } = lint(file, specifier);
    expect(refused, stdout).toBe(false);
  });
});
