import type { Breaker } from './breaker.ts';

/** A failure is old news after so long without another job. */
const NEWS_MS = 10 * 60_000;

export interface InstitutionHealth {
  readonly state: 'HEALTHY' | 'DEGRADED' | 'DOWN';
  readonly maintenance: boolean;
  /** When the next job tries it again; null unless DOWN. */
  readonly retryAt: number | null;
}

const HEALTHY: InstitutionHealth = { state: 'HEALTHY', maintenance: false, retryAt: null };

/** State of an institution, judged by its latest jobs. Null: no sign of trouble. */
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
