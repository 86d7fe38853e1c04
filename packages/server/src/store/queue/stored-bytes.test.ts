import { beforeAll, describe, expect, it } from 'vitest';
import { JOB_ROW_BYTES } from '../../rules/quota/storage.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, SUCCEEDED, submissionOf } from '../testing/job-world.ts';
import type { ClaimedJob } from './claims.ts';

const RESULT = Buffer.alloc(3_000);
const FILE_BYTES = 700_000;

describeStores('the storage of an organization', (stores) => {
  let world: JobWorld;
  beforeAll(async () => {
    world = await createJobWorld(stores);
  });

  async function stored(organizationId: number): Promise<number> {
    const rows = await stores.execute(
      'select coalesce(sum(bytes), 0) as bytes from stored_bytes where organization_id = ?',
      [organizationId],
    );
    return Number(rows[0]?.bytes);
  }

  async function claimed(id: string): Promise<ClaimedJob> {
    const jobs = await world.claim('w');
    const job = jobs.find((each) => each.id === id);
    if (job === undefined) throw new Error('was not claimed');
    return job;
  }

  async function finish(job: ClaimedJob): Promise<void> {
    await world.store.engine.finish({
      ...job,
      owner: 'w',
      outcome: { ...SUCCEEDED, result: RESULT },
      artifacts: [
        {
          id: `art_${job.id}`,
          name: 'a.pdf',
          contentType: 'application/pdf',
          sizeBytes: FILE_BYTES,
          sha256: 'x',
          chunks: [Buffer.alloc(10)],
        },
      ],
      steps: [],
      suspension: null,
    });
  }

  it('grows with params, results and files, and shrinks when they go (D166)', async () => {
    const organizationId = await world.organization();
    const params = JSON.stringify({ note: '가'.repeat(100) });
    const accepted = JOB_ROW_BYTES + Buffer.byteLength(params);
    const job = await claimed(await world.submit({ organizationId, params }));
    expect(await stored(organizationId)).toBe(accepted);
    await finish(job);
    expect(await stored(organizationId)).toBe(accepted + RESULT.length + FILE_BYTES);
    await stores.execute('update artifacts set expires_at = 1');
    while (await world.store.engine.purgeArtifactBytes());
    expect(await stored(organizationId)).toBe(accepted + RESULT.length);
    await stores.execute('delete from jobs where id = ?', [job.id]);
    expect(await stored(organizationId)).toBe(0);
  });

  it('loses a file once, whether it is deleted or goes with its job (D166)', async () => {
    const organizationId = await world.organization();
    const [kept, gone] = [
      await claimed(await world.submit({ organizationId })),
      await claimed(await world.submit({ organizationId })),
    ];
    await finish(kept);
    await finish(gone);
    const access = { organizationId, envScope: 'real_test' as const, submittedBy: null };
    const actor = { kind: 'console_user' as const, id: '1', traceId: null };
    await world.store.results.deleteArtifacts({ access, jobId: kept.id, actor });
    await stores.execute('delete from jobs where id = ?', [gone.id]);
    expect(await stored(organizationId)).toBe(JOB_ROW_BYTES + 2 + RESULT.length);
  });

  it('is the same after the rows of connections were summed up (D166)', async () => {
    const organizationId = await world.organization();
    await Promise.all(Array.from({ length: 10 }, () => world.submit({ organizationId })));
    const before = await stored(organizationId);
    while (await world.store.engine.sumStoredBytes());
    expect(await stored(organizationId)).toBe(before);
    const rows = await stores.execute('select 1 from stored_bytes where organization_id = ?', [
      organizationId,
    ]);
    expect(rows).toHaveLength(1);
  });

  describe('at its ceiling', () => {
    it('refuses a new job in every environment, and replays an old one (D166)', async () => {
      const organizationId = await world.organization();
      const room = { storageLimitBytes: 2 * (JOB_ROW_BYTES + 2) };
      const first = submissionOf({ organizationId, envScope: 'sandbox', ...room });
      await world.store.jobs.submit(first);
      await world.submit({ organizationId, envScope: 'production', ...room });
      for (const envScope of ['sandbox', 'real_test', 'production'] as const) {
        await expect(world.submit({ organizationId, envScope, ...room })).rejects.toMatchObject({
          code: 'POLICY_STORAGE_EXCEEDED',
          status: 429,
          retryable: false,
        });
      }
      const again = await world.store.jobs.submit(first);
      expect(again.kind).toBe('replayed');
      expect(await world.submit({ organizationId: await world.organization(), ...room })).toMatch(
        /^job_/,
      );
    });

    it('takes no more than it has room for of requests that come together (D166)', async () => {
      const organizationId = await world.organization();
      const room = { storageLimitBytes: 5 * (JOB_ROW_BYTES + 2) };
      const answers = await Promise.allSettled(
        Array.from({ length: 12 }, () => world.submit({ organizationId, ...room })),
      );
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    });
  });
});
