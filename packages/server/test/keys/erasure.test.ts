import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config/server-config.ts';
import { type CoreDependencies, openCore } from '../../src/core.ts';
import { rotateDataKeys } from '../../src/crypto/rotation/rotate-data-keys.ts';
import { executeDueDeletions } from '../../src/organizations/maintain.ts';
import { resultPlace } from '../../src/store/schema/sealed-places.ts';

const RESULT = Buffer.from('a result');
const PLACE = resultPlace('job_1');
const actor = { kind: 'system', id: 'test', traceId: null } as const;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'changgu-erasure-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** The service on a database file, with the master key and, if told, the secrets of organizations. */
async function open(file: string, secrets: 'with secrets' | 'without'): Promise<CoreDependencies> {
  const config = await readConfig('dev', {
    CHANGGU_DATABASE_URL: `sqlite:${join(directory, file)}`,
    CHANGGU_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    ...(secrets === 'without' ? {} : { CHANGGU_ORGANIZATION_SECRETS_DIR: join(directory, 'keys') }),
  });
  return openCore(config, { clock: systemClock });
}

function backUp(file: string, to: string): void {
  const db = new DatabaseSync(join(directory, file));
  db.exec(`vacuum into '${join(directory, to)}'`);
  db.close();
}

async function organizationWithOwner({ store }: CoreDependencies, email: string) {
  const { userId, organizationId } = await store.users.register({
    email,
    passwordHash: 'x',
    name: '홍길동',
    organizationName: email,
    phone: null,
    businessNumber: null,
    origin: { traceId: null },
  });
  return { userId, organizationId, scope: String(organizationId) };
}

async function erase(
  { store, vault }: CoreDependencies,
  { userId, organizationId }: { userId: number; organizationId: number },
): Promise<void> {
  const request = { id: randomUUID(), userId, organizationId, reasonText: null, actor };
  await store.deletions.request(request);
  await store.clock.advance({ seconds: 31 * 86_400 });
  await executeDueDeletions({ store, vault });
}

it('a backup from before a deletion opens every organization but the erased one (D64)', async () => {
  const core = await open('live.db', 'with secrets');
  const [gone, stays] = [
    await organizationWithOwner(core, 'gone@example.com'),
    await organizationWithOwner(core, 'stays@example.com'),
  ];
  const sealed = new Map<string, Uint8Array>();
  for (const { scope } of [gone, stays]) {
    sealed.set(scope, await core.vault.seal(scope, PLACE, RESULT));
  }
  backUp('live.db', 'backup.db');
  await erase(core, gone);
  await core.close();

  const restored = await open('backup.db', 'with secrets');
  const read = ({ scope }: { scope: string }) =>
    restored.vault.open(scope, PLACE, sealed.get(scope) ?? new Uint8Array());
  expect(await restored.store.organizationKeys.load(gone.scope)).not.toBeNull();
  expect(Buffer.from(await read(stays))).toEqual(RESULT);
  await expect(read(gone)).rejects.toThrow('the secret of the organization is gone');
  await restored.close();
});

it('covers backups only from the rotation on that follows turning the secrets on (D64)', async () => {
  const before = await open('late.db', 'without');
  const organization = await organizationWithOwner(before, 'late@example.com');
  const { scope } = organization;
  const sealed = await before.vault.seal(scope, PLACE, RESULT);
  backUp('late.db', 'early-backup.db');
  await before.close();

  const core = await open('late.db', 'with secrets');
  await rotateDataKeys({
    rotation: core.store.dataKeyRotation,
    sealedRows: core.store.sealedRows,
    vault: core.vault,
    newId: randomUUID,
    tell: () => {},
    others: () => async () => {},
  });
  const later = await core.vault.seal(scope, PLACE, RESULT);
  backUp('late.db', 'late-backup.db');
  await erase(core, organization);
  await core.close();

  const late = await open('late-backup.db', 'with secrets');
  await expect(late.vault.open(scope, PLACE, later)).rejects.toThrow('secret');
  await late.close();
  const early = await open('early-backup.db', 'with secrets');
  expect(Buffer.from(await early.vault.open(scope, PLACE, sealed))).toEqual(RESULT);
  await early.close();
});
