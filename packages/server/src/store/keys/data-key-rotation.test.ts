import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { deriveMasterKey } from '../../crypto/master-keys/master-key.ts';
import { fixedMasterKeys } from '../../crypto/master-keys/master-key-source.ts';
import { encryptionRingsOf, type RingName, scopeOfRing } from '../../crypto/ring-name.ts';
import {
  type RotationDependencies,
  type RotationProgress,
  rotateDataKeys,
} from '../../crypto/rotation/rotate-data-keys.ts';
import { generationOf, SealError } from '../../crypto/sealed-box.ts';
import { CHUNK_BYTES } from '../../crypto/sealed-chunks.ts';
import { createVault, type Vault } from '../../crypto/vault.ts';
import type { Store } from '../database.ts';
import { artifactPlace, linkCredentialPlace, resultPlace } from '../schema/sealed-places.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, SUCCEEDED } from '../testing/job-world.ts';
import { ALL_ACTS } from '../testing/no-filter.ts';
import { SEALED_COLUMNS } from './sealed-rows.ts';

const MASTER = fixedMasterKeys([deriveMasterKey(Buffer.alloc(32, 1))]);
const JOBS = 25;
/** More than a sealed value needs to tell the generation of its key. */
const HEAD_BYTES = 64;
const FILE = Buffer.alloc(CHUNK_BYTES + 10, 7);

function vaultOn({ organizationKeys }: Store): Vault {
  return createVault({
    masterKeys: MASTER,
    organizationKeys: {
      load: organizationKeys.load,
      saveIfAbsent: (scope, wrapped) => organizationKeys.saveIfAbsent({ scope, wrapped }),
    },
  });
}

describeStores('a rotation of data keys', (stores) => {
  let world: JobWorld;
  let store: Store;
  let organizationId: number;
  let linkId: string;
  const jobs: string[] = [];
  const rings = (): RingName[] => ['signing_keys', ...encryptionRingsOf(organizationId)];

  /** Values of an organization and of the system, as servers write them. */
  beforeAll(async () => {
    world = await createJobWorld(stores);
    store = world.store;
    const vault = vaultOn(store);
    organizationId = await world.organization();
    const scope = String(organizationId);
    linkId = await world.link(organizationId);
    await stores.execute('update account_links set credential = ? where id = ?', [
      await vault.seal(scope, linkCredentialPlace(linkId), Buffer.from('password')),
      linkId,
    ]);
    for (let n = 0; n < JOBS; n += 1) jobs.push(await world.submit({ organizationId }));
    const ended = new Set<string>();
    while (ended.size < JOBS) {
      for (const job of await world.claim('w')) {
        ended.add(job.id);
        await store.engine.finish({
          ...job,
          owner: 'w',
          outcome: {
            ...SUCCEEDED,
            result: await vault.seal(scope, resultPlace(job.id), Buffer.from(job.id)),
          },
          artifacts: [
            {
              id: `art_${job.id}`,
              name: 'a.pdf',
              contentType: 'application/pdf',
              sizeBytes: FILE.length,
              sha256: 'x',
              chunks: await vault.sealFile(scope, artifactPlace(`art_${job.id}`), FILE),
            },
          ],
          steps: [],
          suspension: null,
        });
      }
    }
    for (const ring of rings()) {
      const place = { table: ring, column: 'private_key', row: ring };
      const key = await vault.seal(scopeOfRing(ring), place, Buffer.from(ring));
      const next = { kid: ring, privateKeySealed: key, createdAt: 1, retiredAt: null };
      await store.ringKeys.replaceCurrent({ ring, currentKid: null, next });
    }
  }, 60_000);

  function process(changes: Partial<RotationDependencies> = {}): RotationDependencies {
    return {
      rotation: store.dataKeyRotation,
      sealedRows: store.sealedRows,
      vault: vaultOn(store),
      newId: randomUUID,
      tell: () => {},
      others: () => async () => {},
      ...changes,
    };
  }

  async function generations(): Promise<Set<number>> {
    const found = new Set<number>();
    for (const { table, column } of SEALED_COLUMNS) {
      const rows = await stores.execute(
        `select substr(${column}, 1, ${HEAD_BYTES}) as sealed from ${table} where ${column} is not null`,
      );
      for (const { sealed } of rows) found.add(generationOf(sealed as Uint8Array));
    }
    return found;
  }

  async function expectEverythingReadable(): Promise<void> {
    const vault = vaultOn(store);
    const scope = String(organizationId);
    for (const id of jobs) {
      const [job] = await stores.execute('select result from jobs where id = ?', [id]);
      const opened = await vault.open(scope, resultPlace(id), job?.result as Uint8Array);
      expect(Buffer.from(opened).toString()).toBe(id);
      const file = vault.openFile(scope, artifactPlace(`art_${id}`), {
        size: FILE.length,
        loadChunk: async (number) =>
          (await store.results.readChunk({ artifactId: `art_${id}`, number })) ?? new Uint8Array(),
      });
      const parts: Uint8Array[] = [];
      for await (const part of file) parts.push(part);
      expect(Buffer.concat(parts).equals(FILE)).toBe(true);
    }
    for (const ring of rings()) {
      const [key] = await store.ringKeys.list(ring);
      const place = { table: ring, column: 'private_key', row: ring };
      const sealed = key?.privateKeySealed ?? new Uint8Array();
      const bytes = await vault.open(scopeOfRing(ring), place, sealed);
      expect(Buffer.from(bytes).toString()).toBe(ring);
    }
  }

  it('carries on where a killed process stopped, and destroys the old keys at the end (D64)', async () => {
    const before = await stores.execute('select scope, wrapped from organization_keys');
    const killed = new Error('killed');
    let pages = 0;
    const replace: RotationDependencies['sealedRows']['replace'] = async (input) => {
      pages += 1;
      if (pages === 3) throw killed;
      await store.sealedRows.replace(input);
    };
    const sealedRows = { ...store.sealedRows, replace };
    await expect(rotateDataKeys(process({ sealedRows }))).rejects.toBe(killed);
    expect(await generations()).toEqual(new Set([0, 1]));
    await expectEverythingReadable();

    const told: RotationProgress[] = [];
    await rotateDataKeys(process({ tell: (progress) => told.push(progress) }));
    expect(await generations()).toEqual(new Set([1]));
    await expectEverythingReadable();
    expect(told.map(({ phase }) => phase)).toContain('waiting');
    expect(told.at(-1)).toMatchObject({ phase: 'done', unreadable: 0 });
    const after = await stores.execute(
      'select wrapped, previous, rotation_due from organization_keys',
    );
    for (const row of after) expect(row).toMatchObject({ previous: null, rotation_due: 0 });
    for (const { wrapped } of before) {
      expect(
        after.some((row) => Buffer.compare(row.wrapped as Buffer, wrapped as Buffer) === 0),
      ).toBe(false);
    }
    const [act] = await store.audit.list({ ...ALL_ACTS, act: 'keys.rotate_data', limit: 1 });
    expect(act).toMatchObject({ details: { keys: before.length } });
  });

  it('catches what a server still seals with the old key (D64)', async () => {
    const scope = String(organizationId);
    const place = linkCredentialPlace(linkId);
    const server = vaultOn(store);
    await server.seal(scope, place, Buffer.from('the key is in memory now'));
    const others = () => async () => {
      await stores.execute('update account_links set credential = ? where id = ?', [
        await server.seal(scope, place, Buffer.from('late')),
        linkId,
      ]);
      expect(await generations()).toEqual(new Set([1, 2]));
    };
    await rotateDataKeys(process({ others }));
    expect(await generations()).toEqual(new Set([2]));
    const [link] = await stores.execute('select credential from account_links where id = ?', [
      linkId,
    ]);
    // Read by the server that knew the old key only.
    const opened = await server.open(scope, place, link?.credential as Uint8Array);
    expect(Buffer.from(opened).toString()).toBe('late');
  });

  it('is one rotation when several processes run it at once (D64)', async () => {
    const second = await stores.open();
    await Promise.all([
      rotateDataKeys(process()),
      rotateDataKeys(
        process({
          rotation: second.dataKeyRotation,
          sealedRows: second.sealedRows,
          vault: vaultOn(second),
        }),
      ),
    ]);
    const [{ generation } = {}] = await stores.execute(
      'select max(generation) as generation from organization_keys',
    );
    expect(await generations()).toEqual(new Set([Number(generation)]));
    await expectEverythingReadable();
  });

  it('opens nothing that was copied before the old keys were destroyed (D64)', async () => {
    const [id] = jobs;
    if (id === undefined) throw new Error('no job');
    const [job] = await stores.execute('select result from jobs where id = ?', [id]);
    await rotateDataKeys(process());
    const opening = vaultOn(store).open(
      String(organizationId),
      resultPlace(id),
      job?.result as Uint8Array,
    );
    await expect(opening).rejects.toThrow(SealError);
  });
});

describeStores('the list of sealed columns', (stores) => {
  it('names every column of bytes, so that none keeps an old key needed (D64)', async () => {
    await stores.open();
    const columns = await stores.execute(
      stores.dialect === 'sqlite'
        ? `select m.name as table_name, c.name as column_name from sqlite_master m
            join pragma_table_info(m.name) c where m.type = 'table' and lower(c.type) = 'blob'`
        : `select table_name, column_name from information_schema.columns
            where table_schema = 'public' and data_type = 'bytea'`,
    );
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    const found = columns.map((row) => `${String(row.table_name)}.${String(row.column_name)}`);
    const wrappings = ['organization_keys.wrapped', 'organization_keys.previous'];
    expect(found.toSorted()).toEqual([...listed, ...wrappings].toSorted());
  });
});
