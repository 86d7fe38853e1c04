import type { Stop } from '../../rules/all-accounts/decide-lines.ts';
import type { LineAccount, LineJob } from '../../rules/all-accounts/plan-call.ts';
import { isStoreAway } from '../../rules/service-error.ts';
import type { Store } from '../../store/database.ts';
import type { CallJobs, LinesOutcome } from '../../store/submission/all-accounts.ts';
import type { NewLine } from '../../store/submission/job-insert.ts';

export interface SubmittedLines {
  /** Those that are new jobs. */
  readonly accepted: readonly NewLine[];
  /** Accounts that are no longer active. */
  readonly gone: ReadonlySet<string>;
  /** Null when all lines were submitted. */
  readonly stop: Stop | null;
}

/** Limits of one transaction in links, lines and bytes of params, so that others do not wait long for it. */
const LINKS_PER_TRANSACTION = 32;
const LINES_PER_TRANSACTION = 200;
const BYTES_PER_TRANSACTION = 4 * 1_024 * 1_024;

/**
 * Submits the lines in order until all are done or one is refused.
 * @throws ServiceError SERVICE_UNAVAILABLE while no line was submitted; after that the call is interrupted instead
 */
export async function submitLines(
  store: Pick<Store['allAccounts'], 'submit'>,
  call: CallJobs,
  lines: readonly NewLine[],
): Promise<SubmittedLines> {
  const gone = new Set<string>();
  const accepted: NewLine[] = [];
  for (let rest = lines; rest.length > 0; ) {
    const batch = firstOf(rest);
    const outcome = await attempt(store, call, batch, accepted.length > 0);
    const made = new Set(outcome.accepted);
    accepted.push(...batch.filter(({ accountId }) => made.has(accountId)));
    for (const accountId of outcome.gone) gone.add(accountId);
    if (outcome.stop) return { accepted, gone, stop: outcome.stop };
    rest = rest.slice(batch.length);
  }
  return { accepted, gone, stop: null };
}

/** The result of a transaction, or why the call stops before it. */
async function attempt(
  store: Pick<Store['allAccounts'], 'submit'>,
  call: CallJobs,
  lines: readonly NewLine[],
  begun: boolean,
): Promise<LinesOutcome> {
  try {
    return await store.submit({ call, lines });
  } catch (error) {
    if (!begun || !isStoreAway(error)) throw error;
    const at = lines[0]?.accountId ?? '';
    return { accepted: [], gone: [], stop: { code: 'SERVICE_UNAVAILABLE', at } };
  }
}

/**
 * The jobs under the key, by account. Where the store has gone away since lines were accepted, as the call knows them.
 * @throws ServiceError SERVICE_UNAVAILABLE while no line was accepted
 */
export async function jobsAfter(
  store: Pick<Store['allAccounts'], 'jobsOfKey'>,
  call: CallJobs,
  planned: readonly LineAccount[],
  accepted: readonly NewLine[],
): Promise<ReadonlyMap<string, LineJob>> {
  try {
    return await store.jobsOfKey(call);
  } catch (error) {
    if (accepted.length === 0 || !isStoreAway(error)) throw error;
    const known = new Map<string, LineJob>();
    for (const { id, job } of planned) if (job) known.set(id, job);
    for (const { accountId, jobId } of accepted)
      known.set(accountId, { id: jobId, status: 'QUEUED' });
    return known;
  }
}

/** As many lines from the front as one transaction takes, at least one. */
function firstOf(lines: readonly NewLine[]): readonly NewLine[] {
  const links = new Set<string>();
  let bytes = 0;
  const end = lines.findIndex(({ accountLinkId, params }, index) => {
    links.add(accountLinkId);
    bytes += params.length;
    const isFull =
      index === LINES_PER_TRANSACTION ||
      links.size > LINKS_PER_TRANSACTION ||
      bytes > BYTES_PER_TRANSACTION;
    return index > 0 && isFull;
  });
  return end === -1 ? lines : lines.slice(0, end);
}
