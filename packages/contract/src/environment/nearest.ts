/** The candidate with the smallest edit distance, if it is close enough to be what was meant. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(3, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    // The distance is at least the difference of the lengths; the name may be as long as a request.
    if (Math.abs(name.length - candidate.length) >= least) continue;
    const distance = editDistance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
