import type { Breaker } from './breaker.ts';

/** After this long without another job, a failure no longer counts. */
const NEWS_MS = 10 * 60_000;

export interface InstitutionHealth {
  readonly state: 'HEALTHY' | 'DEGRADED' | 'DOWN';
  readonly maintenance: boolean;
  /** When the next job will try it again; null unless DOWN. */
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
  if (openUntil !== null) return { state: 'DOWN', maintenance, retryAt: openUntil };
  const last = failures.at(-1);
  if (last === undefined || now - last > NEWS_MS) return HEALTHY;
  return { state: 'DEGRADED', maintenance, retryAt: null };
}
