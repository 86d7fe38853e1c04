import type { EndState, EnvScope } from '@changgu/contract';
import { loadCatalogue } from '@changgu/contract/catalogue';
import { memoryOrganizationKeys } from '../../../test/memory-key-stores.ts';
import { parseMasterKeys } from '../../crypto/master-keys/master-key.ts';
import { createUrlSigner } from '../../crypto/signed-url.ts';
import { createVault, type Vault } from '../../crypto/vault.ts';
import type { JobAccess } from '../../rules/jobs/job-access.ts';
import { DEFAULT_PLANS } from '../../rules/quota/plans.ts';
import type { SubmissionRequest, SubmissionRules } from '../../rules/submission/submission.ts';
import type { Store } from '../../store/database.ts';
import type { ClaimedJob } from '../../store/queue/claims.ts';
import type { NewArtifact } from '../../store/queue/runs.ts';
import { resultPlace } from '../../store/schema/sealed-places.ts';
import type { TestStores } from '../../store/testing/describe-stores.ts';
import { type SeedOrganization, seedOrganization } from '../../store/testing/seed.ts';
import { type SubmitAnswer, type SubmitDependencies, submitJob } from '../submit.ts';

export const TEST_WORKER = 'test-worker';

/** One organization on a store, with everything for submitting, running and reading its jobs. */
export type JobHarness = Awaited<ReturnType<typeof openJobHarness>>;

export async function openJobHarness(
  stores: TestStores,
  store: Store,
  options: { organization?: SeedOrganization; rules?: Partial<SubmissionRules> } = {},
) {
  const organizationId = await seedOrganization(stores, options.organization);
  const crypto = openCrypto();
  const { actions } = await loadCatalogue();
  const rules = { ...rulesFor(actions), ...options.rules };
  const dependencies: { -readonly [Name in keyof SubmitDependencies]: SubmitDependencies[Name] } = {
    store,
    vault: crypto.vault,
    rules,
    receiveCiphertexts: async () => null,
  };
  const request = createRequests(organizationId);
  return {
    organizationId,
    store,
    ...crypto,
    dependencies,
    request,
    access: (envScope: EnvScope = 'sandbox'): JobAccess => ({
      organizationId,
      envScope,
      submittedBy: null,
    }),
    /** Submits with a new key, unless the changes include one. */
    submit: (changes: Partial<SubmissionRequest> = {}): Promise<SubmitAnswer> =>
      submitJob(dependencies, request(changes)),
    ...countsOf(stores, organizationId),
    ...runsOf(store, crypto.vault, organizationId),
  };
}

function openCrypto() {
  const masterKeys = parseMasterKeys('ab'.repeat(32));
  const vault = createVault({
    masterKeys: { keys: () => masterKeys, reload: async () => {} },
    organizationKeys: memoryOrganizationKeys(),
  });
  const [master] = masterKeys;
  const urlSigner = createUrlSigner(() => [{ id: master.id, secret: master.urlSigningKey }]);
  return { vault, urlSigner };
}

type Actions = Awaited<ReturnType<typeof loadCatalogue>>['actions'];

function rulesFor(actions: Actions): SubmissionRules {
  return {
    findAction: (id) => actions.get(id),
    nearestAction: () => null,
    hasProvider: (name) => [...actions.values()].some(({ provider }) => provider === name),
    checkParams: (action, params) =>
      (action.params.required ?? [])
        .filter((name) => params[name] === undefined)
        .map((name) => ({ loc: ['body', 'params', name], msg: 'Field required', type: 'missing' })),
    product: async ({ id }) => ({ versionId: null, resultSchema: `${id}.v1`, retired: false }),
    isConfigured: () => true,
    linkPurpose: () => null,
    laneScope: (_provider, envScope) => envScope,
    plans: DEFAULT_PLANS,
    queueLimitSeconds: 21_600,
    storageLimitBytes: Number.MAX_SAFE_INTEGER,
  };
}

/** Makes requests that differ in their keys. */
function createRequests(organizationId: number) {
  let keys = 0;
  return (changes: Partial<SubmissionRequest> = {}): SubmissionRequest => {
    keys += 1;
    const action = changes.action ?? 'bank_b.accounts.list';
    return {
      submitter: {
        name: 'client:cli_test',
        organizationId,
        allowedEnvScopes: ['sandbox', 'real_test', 'production'],
        readOnly: false,
        allowedActions: null,
        scopes: null,
      },
      envScope: 'sandbox',
      idempotencyKey: `key-${keys}`,
      provider: action.slice(0, action.indexOf('.')),
      action,
      accountLinkId: null,
      params: {},
      encryptedFields: {},
      sandboxOutcome: null,
      ...changes,
    };
  };
}

function countsOf(stores: TestStores, organizationId: number) {
  return {
    async usedTokens(envScope: EnvScope): Promise<Record<string, number>> {
      const rows = await stores.execute(
        'select period, used from usage where organization_id = ? and env_scope = ?',
        [organizationId, envScope],
      );
      return Object.fromEntries(rows.map(({ period, used }) => [String(period), Number(used)]));
    },
    async countJobs(): Promise<number> {
      const rows = await stores.execute(
        'select count(*) as count from jobs where organization_id = ?',
        [organizationId],
      );
      return Number(rows[0]?.count);
    },
  };
}

/** What a worker does to the organization's jobs. */
function runsOf(store: Store, vault: Vault, organizationId: number) {
  return {
    /** Claims everything that is ready and returns the organization's own jobs. */
    async claim(envScope: EnvScope = 'sandbox'): Promise<ClaimedJob[]> {
      const pool = envScope === 'sandbox' ? 'sandbox' : 'real';
      const all = {
        owner: TEST_WORKER,
        leaseMs: 30_000,
        pool,
        limit: 100,
        slots: 200,
        held: [],
      } as const;
      const { jobs: claimed } = await store.engine.claim(all);
      return claimed.filter((job) => job.organizationId === organizationId);
    },
    async finish(
      job: ClaimedJob,
      end: {
        status?: EndState;
        error?: string;
        data?: Record<string, unknown>;
        asFile?: boolean;
        artifacts?: readonly NewArtifact[];
      } = {},
    ): Promise<boolean> {
      const { status = 'SUCCEEDED', error = null, data, asFile = false, artifacts = [] } = end;
      const json = Buffer.from(JSON.stringify(data ?? null));
      const result =
        status === 'SUCCEEDED' && data !== undefined
          ? await vault.seal(String(job.organizationId), resultPlace(job.id), json)
          : null;
      return store.engine.finish({
        id: job.id,
        owner: TEST_WORKER,
        attempt: job.attempt,
        lane: job.lane,
        organizationId: job.organizationId,
        outcome: { status, error, result, resultAsFile: asFile },
        artifacts,
        steps: [],
        suspension: null,
      });
    },
  };
}
