import { language } from './preferences.ts';

const ZONE = 'Asia/Seoul';

export const locale = () => (language.value === 'ko' ? 'ko-KR' : 'en-US');

/** In English by its name: half of the readers take a number for the day. */
const month = () => (language.value === 'ko' ? '2-digit' : 'short');

const formats = new Map<string, Intl.DateTimeFormat>();

/** Made once for each language: to make one takes longer than to format a hundred days with it. */
function formatOf(parts: readonly Part[]): Intl.DateTimeFormat {
  const key = `${locale()} ${parts.join()}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const all = {
    year: 'numeric',
    month: month(),
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  } as const;
  const wanted = Object.fromEntries(parts.map((part) => [part, all[part]] as const));
  const cycle = parts.includes('hour') ? ({ hourCycle: 'h23' } as const) : {};
  const made = new Intl.DateTimeFormat(locale(), { timeZone: ZONE, ...wanted, ...cycle });
  formats.set(key, made);
  return made;
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

const DAY = ['year', 'month', 'day'] as const;
const CLOCK = ['hour', 'minute', 'second'] as const;

/** Korean dates contain spaces, where they must not wrap. */
const unbroken = (text: string) => text.replaceAll(' ', '\u00a0');

/** Business time is Korean time, wherever the reader is. */
export function dateTime(iso: string | null): string {
  if (iso === null) return '–';
  return unbroken(formatOf([...DAY, ...CLOCK]).format(new Date(iso)));
}

export function date(iso: string | null): string {
  if (iso === null) return '–';
  return unbroken(formatOf(DAY).format(new Date(iso)));
}

export function clock(iso: string): string {
  return formatOf(CLOCK).format(new Date(iso));
}

const numbers = new Map<string, Intl.NumberFormat>();

export function count(value: number): string {
  const made = numbers.get(locale()) ?? new Intl.NumberFormat(locale());
  numbers.set(locale(), made);
  return made.format(value);
}

/** The service counts in won, which have no smaller unit. */
export function won(amount: number): string {
  return language.value === 'ko' ? `${count(amount)}원` : `₩${count(amount)}`;
}

/** As Korean forms write it, where it is one. */
export function businessNumber(digits: string | null): string {
  return digits?.replace(/^(\d{3})(\d{2})(\d{5})$/, '$1-$2-$3') ?? '';
}

/** A Korean calendar day, `2026-11-21`, as dates are shown. */
export function day(text: string): string {
  return date(`${text}T00:00:00+09:00`);
}

/** The time between two moments, in its shortest readable form. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  const units = language.value === 'ko' ? ['초', '분', '시간'] : [' s', ' min', ' h'];
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)}${units[0]}`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)}${units[1]}`;
  return `${(seconds / 3_600).toFixed(1)}${units[2]}`;
}

export function bytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  return size < 1_048_576
    ? `${(size / 1_024).toFixed(1)} kB`
    : `${(size / 1_048_576).toFixed(1)} MB`;
}

/** Midnight in Korea, `days` before the last one. */
export function koreanMidnight(days = 0): string {
  const now = Date.now() - days * 86_400_000;
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE }).format(new Date(now));
  return `${day}T00:00:00+09:00`;
}
