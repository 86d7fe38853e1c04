import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type JobAccess, mayAccess } from '../../rules/jobs/job-access.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../testing/job-world.ts';
import { ALL_JOBS } from '../testing/no-filter.ts';

const SUBMITTERS = ['client:a', 'client:b', 'user:1'];
const ACTIONS = ['bank_a.accounts.list', 'bank_b.accounts.list', 'tax_portal.c1.vat_standard'];

const patterns = fc.array(
  fc.constantFrom('*', 'bank_*', 'bank_b.*', 'bank_b', 'tax_portal.c2.*', ...ACTIONS),
  { maxLength: 3 },
);
const narrowed = fc.record(
  {
    submittedBy: fc.option(fc.constantFrom(...SUBMITTERS, 'client:other')),
    actions: fc.option(patterns),
  },
  { requiredKeys: ['submittedBy'] },
);

describeStores('jobs that a caller may see', (stores) => {
  const jobs: { id: string; action: string; submittedBy: string }[] = [];
  let world: JobWorld;
  let organizationId: number;

  beforeAll(async () => {
    world = await createJobWorld(stores);
    organizationId = await world.organization();
    for (const action of ACTIONS) {
      for (const submittedBy of SUBMITTERS) {
        const id = await world.submit({ organizationId, action });
        await world.db
          .updateTable('jobs')
          .set({ submitted_by: submittedBy })
          .where('id', '=', id)
          .execute();
        jobs.push({ id, action, submittedBy });
      }
    }
  });

  it('are the same in a list, by id and by the rule', async () => {
    await fc.assert(
      fc.asyncProperty(narrowed, async (narrowing) => {
        const access: JobAccess = { organizationId, envScope: 'real_test', ...narrowing };
        const ruled = jobs.filter((job) => mayAccess(job, access)).map(({ id }) => id);
        const listed = await world.store.jobs.list({ ...ALL_JOBS, access, limit: 100 });
        const byId: string[] = [];
        for (const { id } of jobs) {
          if (await world.store.jobs.find({ access, jobId: id })) byId.push(id);
        }
        expect(listed.map(({ id }) => id).toReversed()).toEqual(ruled);
        expect(byId).toEqual(ruled);
      }),
      { numRuns: 60 },
    );
  });
});
