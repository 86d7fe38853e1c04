import type { Counts, Verdict } from '../verdict.ts';

export interface ChaosReport {
  readonly seconds: number;
  readonly counts: Readonly<Record<string, number>>;
  /** Breaches of a promise; all must be 0. */
  readonly broken: Readonly<Record<string, number>>;
}

/** What the submitters observed. */
export interface Accepted {
  /** Job ids that were answered, by key. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>;
  readonly sent: number;
}

export function report(
  seconds: number,
  accepted: Accepted,
  known: ReadonlySet<string>,
  verdict: Verdict,
  { jobs, takenOver, byOutcome }: Counts,
  more: Pick<ChaosReport, 'counts' | 'broken'>,
): ChaosReport {
  const answered = [...accepted.ids.values()];
  const lost = answered.flatMap((ids) => [...ids]).filter((id) => !known.has(id)).length;
  return {
    seconds,
    counts: { sent: accepted.sent, jobs, takenOver, ...byOutcome, ...more.counts },
    broken: {
      lost,
      'keys with two jobs': answered.filter((ids) => ids.size > 1).length,
      'jobs beyond keys': Math.max(0, jobs - accepted.ids.size),
      'lane overlaps': verdict.overlaps,
      'tokens off': verdict.tokensOff,
      stuck: verdict.stuck,
      ...more.broken,
    },
  };
}
