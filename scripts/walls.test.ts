import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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

/** They compose the others, so they may import all of them. */
const TOP = ['commands', 'dev'];

describe('the lint walls', () => {
  it('name every module of the server', () => {
    const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8');
    const modules = readdirSync(join(root, 'packages/server/src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !TOP.includes(entry.name))
      .map(({ name }) => name);
    const unnamed = modules.filter((module) => !config.includes(`"packages/server/src/${module}/`));
    expect(unnamed).toEqual([]);
  });

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
    ['packages/server/src/rules/probe.ts', '../store/database.ts'],
    ['packages/server/src/rules/quota/probe.ts', '../../store/database.ts'],
    ['packages/server/src/rules/quota/probe.ts', '../../clock.ts'],
    ['packages/server/src/rules/quota/probe.ts', 'node:fs'],
    ['packages/server/src/crypto/probe.ts', '../store/database.ts'],
    ['packages/server/src/crypto/master-keys/probe.ts', '../../store/database.ts'],
    ['packages/server/src/requests/probe.ts', '../http/app.ts'],
    ['packages/server/src/store/queue/probe.ts', '../../jobs/submit.ts'],
    ['packages/server/src/store/queue/probe.ts', '../../engine/worker/worker.ts'],
    ['packages/server/src/institutions/portal/probe.ts', '../../store/database.ts'],
    ['packages/server/src/institutions/probe.ts', '../credentials/link.ts'],
    ['packages/server/src/institutions/probe.ts', '../engine/worker/worker.ts'],
    ['packages/server/src/engine/probe.ts', '../jobs/submit.ts'],
    ['packages/server/src/engine/worker/probe.ts', '../../jobs/submit.ts'],
    ['packages/server/src/jobs/probe.ts', '../principals/login.ts'],
    ['packages/server/src/jobs/probe.ts', '../core.ts'],
    ['packages/server/src/billing/probe.ts', '../http/app.ts'],
    ['packages/server/src/oauth/probe.ts', '../http/app.ts'],
    ['packages/server/src/identity-providers/probe.ts', '../engine/worker/worker.ts'],
    ['packages/server/src/receipts/probe.ts', '../mcp/route.ts'],
    ['packages/server/src/events/probe.ts', '../http/app.ts'],
    ['packages/server/src/mail/probe.ts', '../organizations/maintain.ts'],
    ['packages/server/src/waiting/probe.ts', '../../mcp/route.ts'],
    ['packages/server/src/store/probe.ts', '../mail/outbox.ts'],
    ['packages/server/src/http/probe.ts', '../mcp/route.ts'],
    ['packages/server/src/http/routes/probe.ts', '../../engine/worker/worker.ts'],
    ['packages/server/src/mcp/probe.ts', '../engine/worker/worker.ts'],
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
    ['packages/server/src/rules/quota/probe.ts', '../organizations/policy.ts'],
    ['packages/server/src/store/queue/probe.ts', '../../rules/jobs/progress.ts'],
    ['packages/server/src/jobs/probe.ts', '../store/database.ts'],
    ['packages/server/test/probe.ts', '@changgu/sdk'],
  ])('%s may import %s', (file, specifier) => {
    const { refused, stdout } = lint(file, specifier);
    expect(refused, stdout).toBe(false);
  });
});
