import { beforeAll, describe, expect, it } from 'vitest';
import { JOB_ROW_BYTES } from '../../rules/quota/storage.ts';
import type { ClaimedJob } from '../queue/claims.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld, SUCCEEDED, submissionOf } from '../testing/job-world.ts';

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

  describe.runIf(stores.dialect === 'postgres')('in rows of its transactions', () => {
    const PREVIOUS_VERSION_SUMS_UP = `
      with summed as (
        delete from stored_bytes where (organization_id, writer) in (
          select organization_id, writer from stored_bytes where writer <> 0
          order by organization_id limit 7 for update skip locked)
        returning organization_id, bytes)
      insert into stored_bytes (organization_id, writer, bytes)
      select organization_id, 0, sum(bytes) from summed
      group by organization_id order by organization_id
      on conflict (organization_id, writer)
        do update set bytes = stored_bytes.bytes + excluded.bytes`;

    it.each([
      ['after a sum', ['sum', 'submit']],
      ['after several sums', ['sum', 'submit', 'sum', 'submit', 'sum']],
      ['while the previous version sums up', ['previous', 'submit', 'sum', 'previous', 'submit']],
      ['when the previous version takes a sum', ['sum', 'previous', 'previous', 'submit', 'sum']],
      ['after a dump was restored where transactions have lower ids', ['restore', 'submit', 'sum']],
    ] as const)('is the same %s (D166)', async (_, steps) => {
      const organizationId = await world.organization();
      const submitFive = () =>
        Promise.all(Array.from({ length: 5 }, () => world.submit({ organizationId })));
      const ids = await submitFive();
      for (const step of steps) {
        if (step === 'submit') ids.push(...(await submitFive()));
        else if (step === 'previous') await stores.execute(PREVIOUS_VERSION_SUMS_UP);
        else if (step === 'sum')
          await stores.execute('select sum_stored_bytes(?)', [organizationId]);
        else {
          await stores.execute(
            'update stored_bytes set writer = writer + 1000000000 where writer > 0',
          );
          await stores.open();
        }
      }
      expect(await stored(organizationId)).toBe(ids.length * (JOB_ROW_BYTES + 2));
      const { storedBytes } = await world.store.membership.read({
        organizationId,
        envScope: 'real_test',
        plans: {},
      });
      expect(storedBytes).toBe(ids.length * (JOB_ROW_BYTES + 2));
    });

    it('replaces the rows of transactions that have ended by their sum (D166)', async () => {
      const organizationId = await world.organization();
      const written = async () =>
        (
          await stores.execute('select writer from stored_bytes where organization_id = ?', [
            organizationId,
          ])
        ).map(({ writer }) => Number(writer));
      for (let n = 0; n < 5; n += 1) await world.submit({ organizationId });
      const before = await written();
      // Other databases of the same server may hold the horizon back for a moment.
      for (let rows = before; rows.length > 1; rows = await written()) {
        await stores.execute('select sum_stored_bytes(?)', [organizationId]);
      }
      expect((await written()).every((writer) => writer % 2 === 0)).toBe(true);
    });
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
