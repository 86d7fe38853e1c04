import type { Language } from '../language.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 minutes ago`, `in 1 day`, which need not be tomorrow; less than a minute is now. */
export function relativeTime(at: number, now: number, language: Language): string {
  const counted = new Intl.RelativeTimeFormat(language);
  for (const [unit, ms] of UNITS) {
    const count = Math.trunc((at - now) / ms);
    if (count !== 0) return counted.format(count, unit);
  }
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second');
}
