import { loadCatalogue } from '@changgu/contract/catalogue';
import type { JobError } from '@changgu/contract/schemas';
import type { FieldKeys } from '../../crypto/encryption-keys.ts';
import type { Vault } from '../../crypto/vault.ts';
import type { Call, Connector } from '../../institutions/connector.ts';
import { type JobHarness, openJobHarness } from '../../jobs/testing/job-harness.ts';
import type { SubmissionRequest } from '../../rules/submission/submission.ts';
import type { Store } from '../../store/database.ts';
import type { ClaimedJob } from '../../store/queue/claims.ts';
import type { EngineStore } from '../../store/queue/engine-scripts.ts';
import { resultPlace } from '../../store/schema/sealed-places.ts';
import type { TestStores } from '../../store/testing/describe-stores.ts';
import { type HeldJob, hold } from '../held-jobs.ts';
import { createRunner } from '../run.ts';
import type { RunDependencies } from '../run-dependencies.ts';
import { createManualTimers, type ManualTimers } from './manual-timers.ts';

const LEASE_MS = 30_000;
const OWNER = 'test-worker';

/** A running job, with everything that the test controls. */
export interface StartedRun {
  readonly job: ClaimedJob;
  readonly held: HeldJob;
  readonly ended: Promise<EndedJob>;
}

export interface EndedJob {
  readonly id: string;
  readonly status: string;
  readonly error: JobError | null;
  readonly retryCount: number;
  readonly resultAsFile: boolean;
  /** The decrypted JSON text of `result.data`. */
  readonly result: string | null;
}

/** Runs real jobs of one organization with made-up connectors, in time that the test controls. */
export interface RunHarness {
  readonly jobs: JobHarness;
  readonly timers: ManualTimers;
  /** Ciphertexts that were decrypted. */
  readonly decrypted: string[];
  readonly log: string[];
  /** The check of results; passes everything, unless a test says otherwise. */
  resultViolations: RunDependencies['resultViolations'];
  /** What a ciphertext may be used for; everything, unless a test says otherwise. */
  bindCiphertexts: RunDependencies['bindCiphertexts'];
  /** The purposes of links that the environments use; all, unless a test says otherwise. */
  linkPurpose: RunDependencies['linkPurpose'];
  /** The environments of a site; each has its own, unless a test says otherwise. */
  scopesOfSite: RunDependencies['scopesOfSite'];
  /** Scripts of the engine, the vault and the clock can be replaced before a run. */
  readonly engine: { -readonly [Name in keyof EngineStore]: EngineStore[Name] };
  readonly vault: { -readonly [Name in 'seal' | 'sealFile']: Vault[Name] };
  now: () => Promise<number>;
  connect(action: string, connector: Connector): void;
  start(changes: Partial<SubmissionRequest>): Promise<StartedRun>;
  /** Submits and runs a job and returns how it ended. */
  run(changes: Partial<SubmissionRequest>): Promise<EndedJob>;
  ended(id: string): Promise<EndedJob>;
}

export async function openRunHarness(stores: TestStores, store: Store): Promise<RunHarness> {
  const jobs = await openJobHarness(stores, store);
  const timers = createManualTimers();
  const { actions } = await loadCatalogue();
  const connectors = new Map<string, Connector>();
  const { open, seal, sealFile } = jobs.vault;
  const vault = { open, seal, sealFile };
  const harness: RunHarness = {
    jobs,
    timers,
    now: () => store.clock.now(),
    decrypted: [],
    log: [],
    resultViolations: () => [],
    bindCiphertexts: async () => null,
    linkPurpose: () => null,
    scopesOfSite: (_, envScope) => [envScope],
    engine: { ...store.engine },
    vault,
    connect: (action, connector) => connectors.set(action, connector),
    start,
    run: async (changes) => (await start(changes)).ended,
    ended: (id) => readEnded(stores, jobs, id),
  };
  const run = createRunner({
    ...dependenciesOf(harness),
    vault,
    actions,
    connectors,
    sandboxDelayMs: 0,
  });

  async function start(changes: Partial<SubmissionRequest>): Promise<StartedRun> {
    const envScope = changes.envScope ?? 'real_test';
    const { response } = await jobs.submit({ ...changes, envScope });
    const job = (await jobs.claim(envScope)).find(({ id }) => id === response.job_id);
    if (!job) throw new Error('the job could not be claimed');
    const held = hold(job, timers.monotonic(), { owner: OWNER, leaseMs: LEASE_MS, timers });
    return { job, held, ended: run(job, held).then(() => harness.ended(job.id)) };
  }

  return harness;
}

/** What tests may replace before a run is looked up when it is used. */
function dependenciesOf(harness: RunHarness) {
  const note = (fields: object, message: string) =>
    harness.log.push(`${message} ${JSON.stringify(fields)}`);
  return {
    store: harness.engine,
    now: () => harness.now(),
    encryptionKeys: { of: () => keysThatNote(harness.decrypted) },
    bindCiphertexts: (...use) => harness.bindCiphertexts(...use),
    openResources: async ({ rows }) => ({
      link: rows.link && { ...LINK, id: rows.link.id },
      account: null,
      session: SESSION,
      openPortal: () => {
        throw new Error('no portal in this test');
      },
    }),
    resultViolations: (action, data) => harness.resultViolations(action, data),
    linkPurpose: (provider, envScope) => harness.linkPurpose(provider, envScope),
    scopesOfSite: (provider, envScope) => harness.scopesOfSite(provider, envScope),
    timers: harness.timers,
    log: { debug: note, info: note, warn: note, error: note },
  } satisfies Partial<RunDependencies>;
}

/** A run only decrypts texts. */
function keysThatNote(decrypted: string[]): FieldKeys {
  return {
    jwks: () => Promise.reject(new Error('a run publishes no keys')),
    async decrypt(value) {
      decrypted.push(value);
      return `plain of ${value}`;
    },
    decryptBytes: () => Promise.reject(new Error('a run opens texts only')),
  };
}

async function readEnded(stores: TestStores, jobs: JobHarness, id: string): Promise<EndedJob> {
  const [row] = await stores.execute(
    'select status, error, retry_count, result, result_as_file from jobs where id = ?',
    [id],
  );
  const sealed = row?.result;
  const opened =
    sealed instanceof Uint8Array
      ? await jobs.vault.open(String(jobs.organizationId), resultPlace(id), sealed)
      : null;
  return {
    id,
    status: String(row?.status),
    error: typeof row?.error === 'string' ? JSON.parse(row.error) : null,
    retryCount: Number(row?.retry_count),
    resultAsFile: Number(row?.result_as_file) === 1,
    result: opened && Buffer.from(opened).toString(),
  };
}

const LINK: NonNullable<Call['link']> = {
  id: '',
  credential: { type: 'id_password', loginId: 'demo', loginPassword: 'secret' },
  ownerKind: null,
  businessNumber: null,
  selectedAssets: null,
};

const SESSION: Call['session'] = {
  load: async () => null,
  require: async () => ({}),
  save: async () => {},
  clear: async () => {},
};
