import type { CatalogueAction } from '@changgu/contract/catalogue';
import { isErrorCode } from '@changgu/contract/errors';
import { faultOf } from '../failures/fault.ts';
import type { Call, Connector, JsonObject, RealScope } from '../institutions/connector.ts';
import {
  type CredentialGuard,
  guardCredential,
  isAnswer,
} from '../institutions/credential-guard.ts';
import { InstitutionError } from '../institutions/institution-error.ts';
import { CANCELED, type LeaveAlone, SUCCEEDED } from '../rules/endings/endings.ts';
import { serves, wrongPurpose } from '../rules/links/link-purpose.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { CallRows, Suspension } from '../store/queue/call-rows.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import type { Mark } from '../store/queue/runs.ts';
import { pause } from '../timers.ts';
import { type ArtifactCollector, createArtifactCollector } from './artifact-collector.ts';
import { decryptFields } from './decrypt-fields.ts';
import { failureOutcome } from './failure-outcome.ts';
import { JobStopped } from './job-stopped.ts';
import type { ProgressWriter } from './progress-writer.ts';
import { isFileOnly } from './results.ts';
import {
  type Ending,
  endingWith,
  type RunControl,
  type RunDependencies,
  runOf,
} from './run-dependencies.ts';

/** Waits before the extra attempts of a read. */
const RETRY_WAITS_MS = [1_000, 3_000];

interface RealRun {
  readonly job: ClaimedJob;
  readonly envScope: RealScope;
  readonly action: CatalogueAction;
  readonly dependencies: RunDependencies;
  readonly control: RunControl;
  readonly progress: ProgressWriter;
}

/** Facts about a run that its ending depends on. */
interface Trace {
  guard: CredentialGuard | null;
}

/** Performs a job at its institution. Null when another process will end it. */
export async function runReal(run: RealRun): Promise<Ending | null> {
  const { job, action, dependencies, control } = run;
  const rows = await dependencies.store.readCallRows(job);
  const artifacts = createArtifactCollector(
    { organizationId: job.organizationId, task: action.file?.task ?? action.title.ko },
    dependencies.vault,
    dependencies.now,
  );
  const trace: Trace = { guard: null };
  try {
    // The link was removed after the claim, which cancels its jobs as well.
    if (isGone(job, rows)) return endingWith(CANCELED);
    const data = await raceWithStop(perform(run, rows, artifacts, trace), control.signal);
    assertResult(run, data);
    return succeeded(action, data, artifacts);
  } catch (thrown) {
    const error = control.signal.aborted ? control.signal.reason : thrown;
    const context = { irreversible: action.irreversible, pastPoint: control.pastPoint() };
    const outcome = failureOutcome(error, context);
    logFault(run, error);
    if (outcome === null) return null;
    const spacesLogins = trace.guard?.isUnclear() === true && !isAnswer(error);
    return {
      ...endingWith({ ...outcome, spacesLogins, leaveAlone: leaveAloneAfter(error, run) }),
      suspension: suspensionFor(error, rows),
    };
  }
}

/**
 * A connector's result must match the schema that the catalog promises. A mismatch is the connector's fault,
 * and the log tells its author where.
 */
function assertResult({ job, action, dependencies }: RealRun, data: JsonObject | null): void {
  if (data === null && action.file !== null) return;
  const violations = dependencies.resultViolations(action, data);
  if (violations.length === 0) return;
  dependencies.log.error(
    { jobId: job.id, action: job.action, violations },
    'the result of a connector does not match its schema',
  );
  throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', { transient: false });
}

function succeeded(
  action: CatalogueAction,
  data: JsonObject | null,
  artifacts: ArtifactCollector,
): Ending {
  const resultAsFile = isFileOnly(action, data, artifacts.count());
  return {
    ...endingWith({ ...SUCCEEDED, resultAsFile }),
    result: resultAsFile || data === null ? null : JSON.stringify(data),
    artifacts,
  };
}

async function perform(
  run: RealRun,
  rows: CallRows,
  artifacts: ArtifactCollector,
  trace: Trace,
): Promise<JsonObject | null> {
  const { job, action, dependencies, control } = run;
  if (job.duplicateFields !== null) throw new ServiceError('ENCRYPTED_FIELD_DUPLICATE');
  const secrets = await decryptFields(job, action, dependencies.vault, {
    opener: dependencies.encryptionKeys.of(job.organizationId, run.envScope),
    bindCiphertexts: dependencies.bindCiphertexts,
  });
  refuseOtherPurpose(run, rows);
  refuseSuspended(rows);
  const connector = dependencies.connectors.get(action.id);
  if (connector === undefined) throw new ServiceError('PROVIDER_NOT_CONFIGURED');
  const resources = await dependencies.openResources({
    job,
    envScope: run.envScope,
    rows,
    signal: control.signal,
  });
  const guard = guardCredential({ ...resources, secrets }, () => announceCredential(run));
  trace.guard = guard;
  const call: Call = {
    ...resources,
    link: guard.watchLink(resources.link),
    openPortal: (cookies) => guard.watch(resources.openPortal(cookies)),
    action,
    envScope: run.envScope,
    params: JSON.parse(job.params),
    submittedAt: job.submittedAt,
    secrets,
    progress: run.progress.progress,
    presentCredential: guard.present,
    pointOfNoReturn: () => passPointOfNoReturn(run),
    signal: control.signal,
    artifacts: { add: artifacts.add },
    timeLeft: control.timeLeft,
    clock: {
      now: dependencies.now,
      pause: (ms) => pause(dependencies.timers, ms, control.signal),
    },
  };
  return attempt(run, connector, call, artifacts, guard);
}

/** Retries a read after a transient failure. Never retries what sent a credential or may have taken effect. */
async function attempt(
  { job, action, dependencies, control }: RealRun,
  connector: Connector,
  call: Call,
  artifacts: ArtifactCollector,
  guard: CredentialGuard,
): Promise<JsonObject | null> {
  const waits = action.irreversible ? [] : RETRY_WAITS_MS;
  for (const wait of waits) {
    try {
      return await connector(call);
    } catch (error) {
      const isTransient = error instanceof InstitutionError && error.transient;
      if (!isTransient || guard.isSent() || control.pastPoint() || control.signal.aborted) {
        throw error;
      }
      artifacts.clear();
      await dependencies.store.noteRetry({
        ...runOf(job, control),
        message: error.code,
        upstreamStatus: error.details.upstreamStatus ?? null,
      });
      await pause(dependencies.timers, wait, control.signal);
    }
  }
  return connector(call);
}

/** After this mark no worker runs the connector again, so the credential is never sent twice. */
async function announceCredential({ job, dependencies, control }: RealRun): Promise<void> {
  control.signal.throwIfAborted();
  const answer = await dependencies.store.presentCredential(runOf(job, control));
  stopUnlessPassed(control, answer);
}

function stopUnlessPassed(control: RunControl, answer: Mark): void {
  if (answer !== 'passed') control.stop(answer === 'late' ? 'deadline' : answer);
  // The run was stopped while the answer was on its way: the request must not be sent.
  control.signal.throwIfAborted();
}

async function passPointOfNoReturn({ job, action, dependencies, control }: RealRun): Promise<void> {
  if (!action.irreversible) throw new TypeError(`${action.id} is not declared irreversible`);
  if (control.pastPoint()) throw new TypeError(`${action.id} is past its point of no return`);
  control.signal.throwIfAborted();
  const answer = await dependencies.store.passPointOfNoReturn(runOf(job, control));
  stopUnlessPassed(control, answer);
  control.passedPoint();
}

function isGone(job: ClaimedJob, { link, account }: CallRows): boolean {
  const linkGone = job.accountLinkId !== null && (link === null || link.status === 'UNLINKED');
  const accountGone =
    job.bankAccountCredentialId !== null && (account === null || account.status === 'UNLINKED');
  return linkGone || accountGone;
}

/** Addresses may have changed since submission: a login of one purpose must never go to the other. */
function refuseOtherPurpose({ job, envScope, dependencies }: RealRun, { link }: CallRows): void {
  const wanted = dependencies.linkPurpose(job.provider, envScope);
  if (link === null || wanted === null || serves(link.purpose, wanted)) return;
  throw new ServiceError('ACCOUNT_LINK_NOT_FOUND', { message: wrongPurpose(wanted) });
}

/** A suspended credential fails at once with the code that suspended it, without contacting the institution. */
function refuseSuspended({ link, account }: CallRows): void {
  for (const row of [link, account]) {
    if (row?.status !== 'SUSPENDED') continue;
    const code = row.suspendedCode ?? '';
    throw new ServiceError(isErrorCode(code) ? code : 'PROVIDER_CREDENTIAL_REJECTED');
  }
}

/** Also after the point of no return: the wish is the portal's, whatever became of the job. */
function leaveAloneAfter(
  error: unknown,
  { job, envScope, dependencies }: RealRun,
): LeaveAlone | undefined {
  const ms = error instanceof InstitutionError ? error.details.leaveAloneMs : undefined;
  if (ms === undefined) return undefined;
  return { ms, envScopes: dependencies.scopesOfSite(job.provider, envScope) };
}

/** Also after a password that came with the call: the bank counts it as a try on the same account. */
function suspensionFor(error: unknown, { link, account }: CallRows): Suspension | null {
  if (!(error instanceof InstitutionError) || link === null) return null;
  const { code } = error;
  if (code !== 'PROVIDER_CREDENTIAL_REJECTED' && code !== 'PROVIDER_ACCOUNT_LOCKED') return null;
  if (account?.credential && error.details.credential !== 'link') {
    return { kind: 'bank_account', id: account.id, code, revision: account.revision };
  }
  return { kind: 'link', id: link.id, code, revision: link.revision };
}

/** A connector that ignores its signal must not keep the slot. */
async function raceWithStop<Value>(running: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([running, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function logFault({ job, dependencies }: RealRun, error: unknown): void {
  const expected = [InstitutionError, ServiceError, JobStopped].some(
    (kind) => error instanceof kind,
  );
  if (expected) return;
  dependencies.log.error(
    { jobId: job.id, action: job.action, fault: faultOf(error) },
    'a run failed unexpectedly',
  );
}
