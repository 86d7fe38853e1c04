export interface Candidate {
  readonly seq: number;
  readonly organizationId: number;
}

/** The number of jobs that an organization may hold while others wait: at most half of the slots. */
export function fairShare(slots: number): number {
  return Math.max(1, Math.floor(slots / 2));
}

export interface Share<Job extends Candidate> {
  readonly chosen: readonly Job[];
  /** Candidates beyond their organization's share. */
  readonly withheld: readonly Job[];
}

/**
 * Takes at most `limit` candidates, oldest first, and no more of one organization than `share` including the jobs
 * that it already runs.
 */
export function chooseFairly<Job extends Candidate>(
  candidates: readonly Job[],
  held: ReadonlyMap<number, number>,
  share: number,
  limit: number,
): Share<Job> {
  const running = new Map(held);
  const chosen: Job[] = [];
  const withheld: Job[] = [];
  for (const candidate of candidates.toSorted((a, b) => a.seq - b.seq)) {
    const count = running.get(candidate.organizationId) ?? 0;
    if (count >= share) {
      withheld.push(candidate);
    } else if (chosen.length < limit) {
      chosen.push(candidate);
      running.set(candidate.organizationId, count + 1);
    }
  }
  return { chosen, withheld };
}
