import { beforeEach, expect, it } from 'vitest';
import { InstitutionError } from '../institutions/institution-error.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedLink } from '../store/testing/seed.ts';
import { openRunHarness, type RunHarness } from './testing/run-harness.ts';

const READ = 'bank_b.accounts.list';
const MINUTE = 60;
const UPSTREAM = 'PROVIDER_UPSTREAM_ERROR';

/** As the portal's client reports `429` with `Retry-After`. */
function throttled(seconds: number): InstitutionError {
  return new InstitutionError(UPSTREAM, { transient: false, leaveAloneMs: seconds * 1_000 });
}

describeStores('an institution that asked to be left alone', (stores) => {
  let harness: RunHarness;
  let accountLinkId: string;
  beforeEach(async () => {
    await stores.execute('delete from breakers', []);
    harness = await openRunHarness(stores, await stores.open());
    accountLinkId = await seedLink(stores, harness.jobs.organizationId);
  });

  const submit = (linkId: string, envScope: 'real_test' | 'production' = 'real_test') =>
    harness.jobs.submit({ action: READ, accountLinkId: linkId, envScope });

  async function askedToWait(seconds: number): Promise<void> {
    harness.connect(READ, () => Promise.reject(throttled(seconds)));
    const ended = await harness.run({ action: READ, accountLinkId });
    expect(ended).toMatchObject({ status: 'FAILED', retryCount: 0, error: { code: UPSTREAM } });
  }

  /** What may be claimed once this many seconds have passed. */
  async function claimedAfter(seconds: number): Promise<string[]> {
    await harness.jobs.store.clock.advance({ seconds });
    await harness.jobs.store.breakers.nominateTrials();
    return (await harness.jobs.claim('real_test')).map(({ id }) => id);
  }

  it('hears nothing from the next job of the link until then', async () => {
    await askedToWait(5 * MINUTE);
    const { response } = await submit(accountLinkId);
    expect(await claimedAfter(0)).toEqual([]);
    expect(await claimedAfter(5 * MINUTE - 5)).toEqual([]);
    expect(await claimedAfter(6)).toEqual([response.job_id]);
  });

  it('hears nothing from a job that waited behind the one that was told', async () => {
    harness.connect(READ, () => Promise.reject(throttled(5 * MINUTE)));
    const running = await harness.start({ action: READ, accountLinkId });
    const { response } = await submit(accountLinkId);
    await running.ended;
    expect(await claimedAfter(5 * MINUTE - 5)).toEqual([]);
    expect(await claimedAfter(6)).toEqual([response.job_id]);
  });

  it('hears nothing from other links and from jobs without one either, then from one of them', async () => {
    await askedToWait(5 * MINUTE);
    const others = [await seedLink(stores, harness.jobs.organizationId), accountLinkId];
    const [first] = [await submit(others[0] ?? ''), await submit(others[1] ?? '')];
    expect(await claimedAfter(5 * MINUTE - 5)).toEqual([]);
    expect(await claimedAfter(6)).toEqual([first?.response.job_id]);
  });

  it('is believed for an hour by the link and for ten minutes by all others', async () => {
    await askedToWait(365 * 86_400);
    const other = await submit(await seedLink(stores, harness.jobs.organizationId));
    const { response } = await submit(accountLinkId);
    expect(await claimedAfter(10 * MINUTE - 5)).toEqual([]);
    expect(await claimedAfter(6)).toEqual([other.response.job_id]);
    await stores.execute('delete from breakers', []);
    expect(await claimedAfter(50 * MINUTE - 10)).toEqual([]);
    expect(await claimedAfter(11)).toEqual([response.job_id]);
  });

  it('is left alone by both environments where they share its address (D160)', async () => {
    harness.scopesOfSite = () => ['production', 'real_test'];
    await askedToWait(5 * MINUTE);
    const rows = await stores.execute(
      'select env_scope, asked_until from breakers order by env_scope',
      [],
    );
    expect(rows.map(({ env_scope }) => env_scope)).toEqual(['production', 'real_test']);
    expect(rows[0]?.asked_until).toEqual(rows[1]?.asked_until);
  });

  it('is left alone also when it is unknown what became of the request that it refused (D165)', async () => {
    const issue = 'tax_portal.c1.business_registration';
    const link = await seedLink(stores, harness.jobs.organizationId, { provider: 'tax_portal' });
    harness.connect(issue, async (call) => {
      await call.pointOfNoReturn();
      throw throttled(5 * MINUTE);
    });
    const params = {
      purpose_code: '01',
      submit_to_code: '01',
      resident_no_display_yn: 'N',
      copies: 1,
      language: 'KO',
    };
    expect(await harness.run({ action: issue, accountLinkId: link, params })).toMatchObject({
      error: { code: 'PROVIDER_OUTCOME_UNCONFIRMED' },
    });
    await harness.jobs.submit({
      action: 'tax_portal.s1.user_info',
      accountLinkId: link,
      envScope: 'real_test',
    });
    expect(await claimedAfter(5 * MINUTE - 5)).toEqual([]);
  });
});
