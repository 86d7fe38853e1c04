import type { Language } from '../language.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 minutes ago`, `in 2 days`; less than a minute is now. */
export function relativeTime(at: number, now: number, language: Language): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, ms] of UNITS) {
    const count = Math.trunc((at - now) / ms);
    if (count !== 0) return format.format(count, unit);
  }
  return format.format(0, 'second');
}
