import { LIMITS, parseDay } from '@changgu/contract';
import { InvalidArgumentError } from 'commander';

const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
/** Repeats MAX_TOKEN_SECONDS, because the module that defines it is slow to load. */
const MAX_DAYS = 31;
const MAX_OVERLAP_HOURS = 168;

/** A token lifetime such as `90s`, `15m`, `1h` or `30d`, in seconds. @throws InvalidArgumentError */
export function parseLifetime(text: string): number {
  const [, amount = '', unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (UNITS[unit as keyof typeof UNITS] ?? 0);
  if (seconds > 0 && seconds <= MAX_DAYS * UNITS.d) return seconds;
  throw new InvalidArgumentError(
    `expected a number with s, m, h or d, at most ${MAX_DAYS} days, such as 90s, 15m, 1h or 30d`,
  );
}

/** A moment in time, such as `2027-03-31T00:00:00+09:00`. @throws InvalidArgumentError */
export function parseMoment(text: string): string {
  const [, day] = /^(\d{4}-\d\d-\d\d)T.*(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (day !== undefined && parseDay(day) !== null && Date.parse(text) > 0) return text;
  throw new InvalidArgumentError('expected a date with time and offset: 2027-03-31T00:00:00+09:00');
}

/** @throws InvalidArgumentError */
export function parseOverlap(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= MAX_OVERLAP_HOURS) return Number(text);
  throw new InvalidArgumentError(`expected hours from 0 to ${MAX_OVERLAP_HOURS}`);
}

/** A positive integer. @throws InvalidArgumentError */
export function parseId(text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= LIMITS.id) return Number(text);
  throw new InvalidArgumentError('expected a positive number');
}
