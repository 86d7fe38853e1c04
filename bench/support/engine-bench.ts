import { setTimeout as pause } from 'node:timers/promises';
import { loadCatalogue } from '@changgu/contract/catalogue';
import type { Kysely } from 'kysely';
import { systemClock } from '../../packages/server/src/clock.ts';
import { readConfig } from '../../packages/server/src/config/server-config.ts';
import { type CoreDependencies, openCore } from '../../packages/server/src/core.ts';
import { submitJob } from '../../packages/server/src/jobs/submit.ts';
import type { SubmissionRules } from '../../packages/server/src/rules/submission/submission.ts';
import type { Database } from '../../packages/server/src/store/schema/tables.ts';
import { openBehindTheStore } from '../../packages/server/src/store/testing/behind-the-store.ts';
import { MASTER_KEY } from './engine-process.ts';
import { linkRows } from './links.ts';
import { anyUnfinished } from './verdict.ts';

const PLENTY = { daily: 1_000_000_000, monthly: 1_000_000_000 };

export interface EngineBench {
  readonly core: CoreDependencies;
  readonly db: Kysely<Database>;
  /** Submits one real_test job through the use case, on the link with the given number. Returns its id. */
  submit(order: number, irreversibly?: 'irreversibly'): Promise<string>;
  allEnded(): Promise<void>;
  close(): Promise<void>;
}

const OF_TAX_PORTAL = {
  reading: 'tax_portal.s1.user_info',
  irreversibly: 'tax_portal.c1.business_registration',
};

function actionOf(provider: string | undefined, kind: keyof typeof OF_TAX_PORTAL): string {
  if (provider === undefined) return 'tax_portal.s1.login';
  return provider === 'tax_portal' ? OF_TAX_PORTAL[kind] : 'bank_b.accounts.list';
}

/** A notice may be lost, so the table is also read now and then. */
const LOOK_MS = 250;

async function insertOrganization(db: Kysely<Database>, name: string): Promise<number> {
  const { id } = await db
    .insertInto('organizations')
    .values({
      name,
      created_at: Date.now(),
      real_test_approved_at: 1,
      tier: 'PAID',
      plan_code: 'BENCH',
      subscription_status: 'ACTIVE',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Rules that refuse nothing: the engine is measured, not the submission. */
async function permissiveRules(): Promise<SubmissionRules> {
  const { actions } = await loadCatalogue();
  return {
    findAction: (id) => actions.get(id),
    nearestAction: () => null,
    hasProvider: () => true,
    linkPurpose: () => null,
    laneScope: (_provider, envScope) => envScope,
    checkParams: () => [],
    product: async ({ id }) => ({ versionId: null, resultSchema: `${id}.v1`, retired: false }),
    isConfigured: () => true,
    plans: { BENCH: { real_test: PLENTY, production: PLENTY } },
    queueLimitSeconds: 21_600,
    storageLimitBytes: Number.MAX_SAFE_INTEGER,
  };
}

let benches = 0;

/** A new organization with links on a database, and a way to submit for it like the API. */
export async function openEngineBench(url: string, links: number): Promise<EngineBench> {
  const env = { CHANGGU_DATABASE_URL: url, CHANGGU_MASTER_KEY: MASTER_KEY };
  const core = await openCore(await readConfig('dev', env), { clock: systemClock });
  const db = openBehindTheStore(url);
  benches += 1;
  const tag = `bench-${benches}-${Date.now()}`;
  const organizationId = await insertOrganization(db, tag);
  const rows = await linkRows(db, organizationId, links);
  const rules = await permissiveRules();
  // The engine reports every end anyway; polling the table would slow it down.
  const ended = new Set<string>();
  let submitted = 0;
  core.store.onSignal((signal) => {
    if (signal.kind === 'finished') ended.add(signal.jobId);
  });
  const { store, vault } = core;
  const dependencies = { store, vault, rules, receiveCiphertexts: async () => null };
  return {
    core,
    db,
    async submit(order, irreversibly) {
      const link = rows[order % rows.length];
      const kind = irreversibly ?? 'reading';
      const { response } = await submitJob(dependencies, {
        submitter: {
          name: 'client:bench',
          organizationId,
          allowedEnvScopes: ['real_test'],
          readOnly: false,
          allowedActions: null,
          scopes: null,
        },
        envScope: 'real_test',
        idempotencyKey: `${tag}-${order}`,
        provider: link?.provider ?? 'tax_portal',
        action: actionOf(link?.provider, kind),
        accountLinkId: link?.id ?? null,
        params: { order },
        encryptedFields: {},
        sandboxOutcome: null,
      });
      submitted += 1;
      return response.job_id;
    },
    async allEnded() {
      for (let look = performance.now() + LOOK_MS; ended.size < submitted; await pause(1)) {
        if (performance.now() < look) continue;
        look = performance.now() + LOOK_MS;
        if (!(await anyUnfinished(db))) return;
      }
    },
    async close() {
      await db.destroy();
      await core.close();
    },
  };
}
