import { compactVerify, createLocalJWKSet } from 'jose';
import { describe, expect, it } from 'vitest';
import { createKeyRing, type KeyRing } from '../crypto/key-ring.ts';
import { generateSigningKey } from '../crypto/signing-keys.ts';
import { failed } from '../rules/endings/endings.ts';
import { receiptHash } from '../rules/receipts/statement.ts';
import type { Store } from '../store/database.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import { receiptScripts, type UnsignedBatch } from '../store/receipts/receipt-scripts.ts';
import { transactionBehind } from '../store/testing/behind-the-store.ts';
import { betweenStatements } from '../store/testing/between-statements.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { createJobWorld, type JobWorld, SUCCEEDED } from '../store/testing/job-world.ts';
import { listReceipts, readReceipt, receiptJwks } from './read-receipts.ts';
import { createReceiptSigner, RECEIPT_KEY_POLICY, type SignReceipts } from './signer.ts';

const FILE = {
  id: 'art_1',
  name: '홍길동_납세증명서.pdf',
  contentType: 'application/pdf',
  sizeBytes: 3,
  sha256: 'ab'.repeat(32),
  chunks: [],
};

describeStores('receipts', (stores) => {
  async function open() {
    const world = await createJobWorld(stores);
    const ring = ringOf(world.store);
    const sign = createReceiptSigner(world.store, ring);
    const organizationId = await world.organization();
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    return { world, sign, access, dependencies: { store: world.store, sign, ring } };
  }

  /** Submits a job, takes it past its point of no return and ends it so. */
  async function act(
    world: JobWorld,
    organizationId: number,
    ending: { readonly outcome?: typeof SUCCEEDED; readonly withFile?: true } = {},
  ): Promise<string> {
    const id = await world.submit({ organizationId, params: '{"b":1,"a":"비밀"}' });
    const job = await claimed(world, id);
    await world.store.engine.passPointOfNoReturn({ id, owner: 'w', attempt: job.attempt });
    await world.store.engine.finish({
      id,
      owner: 'w',
      attempt: job.attempt,
      lane: job.lane,
      organizationId,
      outcome: ending.outcome ?? SUCCEEDED,
      artifacts: ending.withFile ? [{ ...FILE, id: `art_${id}` }] : [],
      steps: [],
      suspension: null,
    });
    return id;
  }

  it('say who did what, when, with which outcome and files, and nothing of params or results', async () => {
    const { world, access, dependencies } = await open();
    const id = await act(world, access.organizationId, { withFile: true });
    const { receipt, number, statement } = await readReceipt(dependencies, access, id);
    const jwks = createLocalJWKSet(await receiptJwks(dependencies));
    const { payload, protectedHeader } = await compactVerify(receipt, jwks);
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'changgu-receipt' });
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(statement);
    expect(number).toBe(1);
    expect(statement).toMatchObject({
      organization_id: access.organizationId,
      env_scope: 'real_test',
      previous: null,
      job_id: id,
      principal: { kind: 'client' },
      params_sha256: receiptHash('{"a":"비밀","b":1}'),
      outcome: { status: 'SUCCEEDED', error_code: null, had_effect: 'yes' },
      files: [{ artifact_id: `art_${id}`, sha256: FILE.sha256, size_bytes: 3 }],
    });
    const said = new TextDecoder().decode(payload);
    expect(said).not.toContain('비밀');
    expect(said).not.toContain('홍길동');
  });

  it('form a chain per organization and environment, each naming the one before it', async () => {
    const { world, access, dependencies } = await open();
    const others = await world.organization();
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push(await act(world, access.organizationId));
    await act(world, others);
    const { items } = await listReceipts(dependencies, access, {});
    expect(items.map(({ job_id }) => job_id)).toEqual(ids);
    expect(items.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(items.map(({ statement }) => statement.previous)).toEqual([
      null,
      receiptHash(items[0]?.receipt ?? ''),
      receiptHash(items[1]?.receipt ?? ''),
    ]);
    const page = await listReceipts(dependencies, access, { limit: 1, cursor: '1' });
    expect(page).toMatchObject({ items: [{ number: 2 }], next_cursor: '2' });
  });

  it('are signed once when processes sign at the same time', async () => {
    const { world, access, dependencies } = await open();
    const other = await stores.open();
    for (let n = 0; n < 12; n += 1) await act(world, access.organizationId);
    const otherSign = createReceiptSigner(other, ringOf(other));
    await Promise.all([dependencies.sign(), otherSign(), dependencies.sign(access), otherSign()]);
    const { items } = await listReceipts(dependencies, access, {});
    expect(items.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1));
    const hashes = items.map(({ receipt }) => receiptHash(receipt));
    expect(items.slice(1).map(({ statement }) => statement.previous)).toEqual(hashes.slice(0, -1));
  });

  it.runIf(stores.dialect === 'postgres').each([1, 2, 3])(
    'are numbered without a gap when another process signs after statement %i of a signer',
    async (statement) => {
      const { world, sign, access, dependencies } = await open();
      const ids = [await act(world, access.organizationId)];
      // Another process has read the first receipt, and appends it when the signer has read so much.
      const held = await world.store.receipts.unsigned(access);
      ids.push(await act(world, access.organizationId));
      const other = signerOf(world, async () => held);
      const db = betweenStatements(world.db, async (n) => {
        if (n === statement) await other();
      });
      const tx = transactionBehind(db, stores.dialect);
      const signer = signerOf(world, () => receiptScripts.unsigned.run(tx, access));
      await signer();
      await sign(access);
      const { items } = await listReceipts(dependencies, access, {});
      expect(items.map(({ job_id }) => job_id)).toEqual(ids);
      expect(items.map(({ number }) => number)).toEqual([1, 2]);
      expect(items[1]?.statement.previous).toBe(receiptHash(items[0]?.receipt ?? ''));
    },
  );

  it.runIf(stores.dialect === 'postgres')(
    'are left alone when another process has signed all of them since the signer began to look',
    async () => {
      const { world, sign, access, dependencies } = await open();
      await act(world, access.organizationId);
      const db = betweenStatements(world.db, async (n) => {
        if (n === 1) await sign(access);
      });
      const tx = transactionBehind(db, stores.dialect);
      await signerOf(world, () => receiptScripts.unsigned.run(tx, access))();
      const { items } = await listReceipts(dependencies, access, {});
      expect(items.map(({ number }) => number)).toEqual([1]);
    },
  );

  it('are appended all or none: one that is signed already leaves no gap behind it', async () => {
    const { world, sign, access, dependencies } = await open();
    await act(world, access.organizationId);
    const [signed] = (await world.store.receipts.unsigned(access))?.receipts ?? [];
    await sign(access);
    await act(world, access.organizationId);
    const batch = await world.store.receipts.unsigned(access);
    if (batch === null || signed === undefined) throw new Error('nothing to sign');
    const late = { ...batch, receipts: [signed, ...batch.receipts] };
    await signerOf(world, async () => late)();
    expect(await world.store.receipts.unsigned(access)).toEqual(batch);
    const { items } = await listReceipts(dependencies, access, {});
    expect(items.map(({ number }) => number)).toEqual([1, 2]);
  });

  it('wait for the next round where signing was told to stop', async () => {
    const { world, access, dependencies } = await open();
    await act(world, access.organizationId);
    await dependencies.sign(access, AbortSignal.abort());
    expect((await world.store.receipts.unsigned(access))?.receipts).toHaveLength(1);
  });

  describe('are there', () => {
    it('for every end after the point of no return, and for no other', async () => {
      const { world, access, dependencies } = await open();
      const refused = failed({ code: 'PROVIDER_VALIDATION_ERROR', irreversible: true });
      const unknown = failed({ code: 'PROVIDER_OUTCOME_UNCONFIRMED', irreversible: true });
      await act(world, access.organizationId, { outcome: refused });
      await act(world, access.organizationId, { outcome: unknown });
      const reading = await world.submit({ organizationId: access.organizationId });
      await world.finish('w', await claimed(world, reading));
      await expect(readReceipt(dependencies, access, reading)).rejects.toMatchObject({
        code: 'RECEIPT_NOT_FOUND',
      });
      const { items } = await listReceipts(dependencies, access, {});
      expect(items.map(({ statement }) => statement.outcome)).toEqual([
        { status: 'FAILED', error_code: 'PROVIDER_VALIDATION_ERROR', had_effect: 'no' },
        { status: 'FAILED', error_code: 'PROVIDER_OUTCOME_UNCONFIRMED', had_effect: 'unknown' },
      ]);
    });

    it('when the worker was killed after the point and a sweep ended its job', async () => {
      const { world, access, dependencies } = await open();
      const id = await world.submit({ organizationId: access.organizationId, timeoutSeconds: 1 });
      const job = await claimed(world, id);
      await world.store.engine.passPointOfNoReturn({ id, owner: 'w', attempt: job.attempt });
      await world.db
        .updateTable('jobs')
        .set({ deadline_at: 1, lease_until: 1 })
        .where('id', '=', id)
        .execute();
      const due = { id, lane: job.lane, irreversible: true, leaseMs: 0 };
      expect(await world.store.engine.endDue(due)).toBe(true);
      expect((await readReceipt(dependencies, access, id)).statement.outcome).toMatchObject({
        had_effect: 'unknown',
      });
    });

    it('after the job itself was removed, and only for those who may see it', async () => {
      const { world, access, dependencies } = await open();
      const id = await act(world, access.organizationId);
      await world.db.deleteFrom('jobs').where('id', '=', id).execute();
      expect((await readReceipt(dependencies, access, id)).job_id).toBe(id);
      const strangers = [
        { ...access, organizationId: await world.organization() },
        { ...access, envScope: 'production' as const },
        { ...access, actions: ['tax_portal.*'] },
        { ...access, submittedBy: 'legacy_api_key:1' },
      ];
      for (const stranger of strangers) {
        await expect(readReceipt(dependencies, stranger, id)).rejects.toMatchObject({
          code: 'JOB_NOT_FOUND',
        });
      }
    });
  });

  it('can be verified after their key was retired and destroyed', async () => {
    const { world, access, dependencies } = await open();
    const first = await act(world, access.organizationId);
    const before = await readReceipt(dependencies, access, first);
    await dependencies.ring.rotate();
    await dependencies.ring.maintain();
    const after = await readReceipt(dependencies, access, await act(world, access.organizationId));
    const jwks = createLocalJWKSet(await receiptJwks(dependencies));
    const kids = [];
    for (const { receipt } of [before, after]) {
      kids.push((await compactVerify(receipt, jwks)).protectedHeader.kid);
    }
    expect(new Set(kids).size).toBe(2);
    expect(await dependencies.ring.keys()).toHaveLength(1);
  });
});

/** A signer that finds this, and then nothing more. */
function signerOf({ store }: JobWorld, find: () => Promise<UnsignedBatch | null>): SignReceipts {
  let found = false;
  const unsigned = async () => {
    if (found) return null;
    found = true;
    return find();
  };
  return createReceiptSigner({ receipts: { ...store.receipts, unsigned } }, ringOf(store));
}

async function claimed(world: JobWorld, id: string): Promise<ClaimedJob> {
  const job = (await world.claim('w')).find((one) => one.id === id);
  if (job === undefined) throw new Error('the job was not claimed');
  return job;
}

/** With keys in the clear: how they are sealed is the vault's affair. */
function ringOf({ ringKeys }: Store): KeyRing {
  const ring = 'receipt_keys';
  return createKeyRing({
    ring,
    policy: RECEIPT_KEY_POLICY,
    vault: { seal: async (_, __, bytes) => bytes, open: async (_, __, bytes) => bytes },
    generate: generateSigningKey,
    now: () => Date.now(),
    store: {
      list: () => ringKeys.list(ring),
      replaceCurrent: (currentKid, next) => ringKeys.replaceCurrent({ ring, currentKid, next }),
      destroy: (kids) => ringKeys.destroy({ ring, kids }),
    },
  });
}
