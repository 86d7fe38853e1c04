import { ServiceError } from '../service-error.ts';
import type { CallJobs, LinesOutcome, LinkLines } from '../store/all-accounts.ts';
import type { Store } from '../store/database.ts';
import type { Stop } from './decide-lines.ts';

export interface SubmittedLines {
  /** New jobs. */
  readonly accepted: number;
  /** Accounts that are no longer in force. */
  readonly gone: ReadonlySet<string>;
  /** Null when every line had its turn. */
  readonly stop: Stop | null;
}

/** Links, lines and bytes of params that one transaction takes, so that nobody waits long for it. */
const LINKS_PER_TRANSACTION = 32;
const LINES_PER_TRANSACTION = 200;
const BYTES_PER_TRANSACTION = 4 * 1_024 * 1_024;

/**
 * Submits the lines link by link, in order, until all are done or one is refused (D136, R73).
 * @throws ServiceError SERVICE_UNAVAILABLE while no line was submitted; afterwards it is a stop (D127)
 */
export async function submitLines(
  store: Pick<Store['allAccounts'], 'submit'>,
  call: CallJobs,
  links: readonly LinkLines[],
): Promise<SubmittedLines> {
  const gone = new Set<string>();
  let accepted = 0;
  let rest = links.flatMap(inParts);
  while (rest.length > 0) {
    const batch = firstOf(rest);
    const outcome = await attempt(store, call, batch, accepted > 0);
    if (!('links' in outcome)) return { accepted, gone, stop: outcome };
    accepted += outcome.accepted.length;
    for (const accountId of outcome.gone) gone.add(accountId);
    if (outcome.stop) return { accepted, gone, stop: outcome.stop };
    rest = rest.slice(outcome.links);
  }
  return { accepted, gone, stop: null };
}

/** What a transaction did, or why the call stops before it. */
async function attempt(
  store: Pick<Store['allAccounts'], 'submit'>,
  call: CallJobs,
  links: readonly LinkLines[],
  begun: boolean,
): Promise<LinesOutcome | Stop> {
  try {
    return await store.submit({ call, links });
  } catch (error) {
    const unavailable = error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';
    if (!begun || !unavailable) throw error;
    const at = links[0]?.lines[0]?.accountId ?? '';
    return { code: 'SERVICE_UNAVAILABLE', at, short: null, now: 0 };
  }
}

/** A link with very many lines, or long ones, takes several transactions. */
function inParts({ accountLinkId, lines }: LinkLines): LinkLines[] {
  const longest = Math.max(...lines.map(({ params }) => params.length));
  const size = Math.max(
    1,
    Math.min(LINES_PER_TRANSACTION, Math.floor(BYTES_PER_TRANSACTION / longest)),
  );
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, part) => ({
    accountLinkId,
    lines: lines.slice(part * size, (part + 1) * size),
  }));
}

/** As many of the first as one transaction takes, and at least one. */
function firstOf(links: readonly LinkLines[]): readonly LinkLines[] {
  let lines = 0;
  const end = links.findIndex((link, index) => {
    lines += link.lines.length;
    return index === LINKS_PER_TRANSACTION || (index > 0 && lines > LINES_PER_TRANSACTION);
  });
  return end === -1 ? links : links.slice(0, end);
}
