import type { Breaker } from './breaker.ts';

/** After this long without another job, a failure no longer counts. */
const NEWS_MS = 10 * 60_000;

export interface InstitutionHealth {
  readonly state: 'HEALTHY' | 'DEGRADED' | 'DOWN';
  readonly maintenance: boolean;
  /** From when on a job will try it again; null unless DOWN. */
  readonly retryAt: number | null;
}

const HEALTHY: InstitutionHealth = { state: 'HEALTHY', maintenance: false, retryAt: null };

/** The state of an institution, judged by its latest jobs. Null: nothing indicates a problem. */
export function healthOf(
  trouble: (Breaker & { readonly lastCode: string | null }) | null,
  now: number,
): InstitutionHealth {
  if (trouble === null) return HEALTHY;
  const { openUntil, failures, lastCode } = trouble;
  const maintenance = lastCode === 'PROVIDER_MAINTENANCE';
  if (openUntil !== null && now < openUntil)
    return { state: 'DOWN', maintenance, retryAt: openUntil };
  // Only a job shows whether it answers again, and callers who wait until it is no longer DOWN submit none.
  const last = Math.max(failures.at(-1) ?? 0, openUntil ?? 0);
  if (now - last > NEWS_MS) return HEALTHY;
  return { state: 'DEGRADED', maintenance, retryAt: null };
}
