import { randomUUID } from 'node:crypto';
import type { EnvScope, JobState } from '@changgu/contract';
import type { Kysely, Selectable } from 'kysely';
import { afterAll } from 'vitest';
import { newJobId } from '../../ids.ts';
import type { Outcome } from '../../rules/endings/endings.ts';
import type { Store } from '../database.ts';
import type { Suspension } from '../queue/call-rows.ts';
import type { ClaimedJob } from '../queue/claims.ts';
import type { Database } from '../schema/tables.ts';
import type { Submission } from '../submission/accept-submission.ts';
import { openBehindTheStore } from './behind-the-store.ts';
import type { TestStores } from './describe-stores.ts';

export type JobRow = Selectable<Database['jobs']>;

export const SUCCEEDED: Outcome = {
  status: 'SUCCEEDED',
  error: null,
  result: null,
  resultAsFile: false,
};

export const LEASE_MS = 30_000;

export interface NewTestJob {
  readonly organizationId: number;
  readonly linkId?: string | null;
  readonly envScope?: EnvScope;
  readonly action?: string;
  readonly usageTokens?: number;
  readonly timeoutSeconds?: number;
  readonly queueLimitSeconds?: number;
  readonly params?: string;
  readonly storageLimitBytes?: number;
  readonly sandboxOutcome?: string | null;
  readonly duplicateFields?: string | null;
  readonly encryptedFields?: Uint8Array | null;
}

/** Organizations, links and jobs of a test, on one store. Plans are so large that no test meets a limit. */
export interface JobWorld {
  readonly store: Store;
  readonly db: Kysely<Database>;
  organization(): Promise<number>;
  link(organizationId: number, provider?: string): Promise<string>;
  /** Submits through the store, and answers the id. */
  submit(job: NewTestJob): Promise<string>;
  claim(
    owner: string,
    options?: Partial<Parameters<Store['engine']['claim']>[0]>,
  ): Promise<readonly ClaimedJob[]>;
  finish(
    owner: string,
    job: ClaimedJob,
    outcome?: Outcome,
    suspension?: Suspension,
  ): Promise<boolean>;
  /** As if its worker had died long ago. */
  loseLease(jobId: string): Promise<void>;
  row(jobId: string): Promise<JobRow>;
  status(jobId: string): Promise<JobState>;
  used(organizationId: number, envScope?: EnvScope): Promise<Record<string, number>>;
}

const PLENTY = { daily: 1_000_000, monthly: 1_000_000 };
const PLANS = { TEST: { real_test: PLENTY, production: PLENTY } };

export async function createJobWorld(stores: TestStores): Promise<JobWorld> {
  const store = await stores.open();
  const db = openBehindTheStore(await stores.url());
  afterAll(() => db.destroy());

  async function row(jobId: string): Promise<JobRow> {
    return db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
  }

  return {
    store,
    db,
    row,
    organization: () => insertOrganization(db),
    link: (organizationId, provider) => insertLink(db, organizationId, provider),
    status: async (jobId) => (await row(jobId)).status,
    async submit(job) {
      const { job: submitted } = await store.jobs.submit(submissionOf(job));
      return submitted.id;
    },
    async claim(owner, options = {}) {
      const free = { pool: 'real' as const, limit: 100, slots: 1_000, held: [] };
      const claim = await store.engine.claim({ owner, leaseMs: LEASE_MS, ...free, ...options });
      return claim.jobs;
    },
    finish: (owner, job, outcome = SUCCEEDED, suspension) =>
      store.engine.finish({
        id: job.id,
        owner,
        attempt: job.attempt,
        lane: job.lane,
        organizationId: job.organizationId,
        outcome,
        artifacts: [],
        steps: [],
        suspension: suspension ?? null,
      }),
    async loseLease(jobId) {
      await db.updateTable('jobs').set({ lease_until: 1 }).where('id', '=', jobId).execute();
    },
    async used(organizationId, envScope = 'real_test') {
      const rows = await db
        .selectFrom('usage')
        .select(['period', 'used'])
        .where('organization_id', '=', organizationId)
        .where('env_scope', '=', envScope)
        .execute();
      return Object.fromEntries(rows.map(({ period, used }) => [period, used]));
    },
  };
}

/** Its plan is so large that no test meets a limit. */
export async function insertOrganization(db: Kysely<Database>): Promise<number> {
  const { id } = await db
    .insertInto('organizations')
    .values({
      name: 'test',
      created_at: 0,
      real_test_approved_at: 1,
      tier: 'PAID',
      plan_code: 'TEST',
      subscription_status: 'ACTIVE',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertLink(
  db: Kysely<Database>,
  organizationId: number,
  provider = 'bank_b',
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('account_links')
    .values({
      id,
      organization_id: organizationId,
      provider,
      auth_type: 'id_password',
      is_primary: 0,
      status: 'ACTIVE',
      registered_at: 0,
    })
    .execute();
  return id;
}

export function submissionOf(job: NewTestJob, jobId = newJobId()): Submission {
  const { linkId = null, action = 'bank_b.accounts.list' } = job;
  return {
    jobId,
    organizationId: job.organizationId,
    envScope: job.envScope ?? 'real_test',
    laneScope: job.envScope ?? 'real_test',
    linkPurpose: null,
    operation: 'submit',
    idempotencyKey: jobId,
    idempotencyAccount: '',
    submittedBy: 'client:test',
    provider: action.slice(0, action.indexOf('.')),
    action,
    resultSchema: `${action}.v1`,
    productVersionId: null,
    params: job.params ?? '{}',
    encryptedFields: job.encryptedFields ?? null,
    duplicateFields: job.duplicateFields ?? null,
    identityWithoutLink: jobId,
    accountLinkId: linkId,
    sandboxOutcome: job.sandboxOutcome ?? null,
    traceContext: null,
    irreversible: false,
    usageTokens: job.usageTokens ?? 1,
    timeoutSeconds: job.timeoutSeconds ?? 120,
    queueLimitSeconds: job.queueLimitSeconds ?? 21_600,
    link: 'optional',
    selectsAccount: false,
    ownerKind: null,
    namedAccountId: null,
    paramsViolations: [],
    productRetired: false,
    providerConfigured: true,
    plans: PLANS,
    storageLimitBytes: job.storageLimitBytes ?? Number.MAX_SAFE_INTEGER,
  };
}
