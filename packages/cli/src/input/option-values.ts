import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type Io, nowOf } from '../io.ts';
import type { Texts } from '../texts/ko.ts';

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Parsers of option values; each throws what commander reports as a usage error. */
export function optionValues({ input }: Texts, io: Io) {
  return {
    /** `30s`, `10m`, `1h`; milliseconds. */
    duration: (text: string): number => {
      const ms = parseDuration(text);
      if (ms === null) throw new InvalidArgumentError(input.duration(text));
      return ms;
    },
    /** `2h` ago, a day, or ISO 8601; milliseconds since the epoch. */
    since: (text: string): number => {
      const ago = parseDuration(text);
      const at = ago === null ? parseTime(text) : nowOf(io) - ago;
      if (Number.isNaN(at)) throw new InvalidArgumentError(input.date(text));
      return at;
    },
    /** In `90d`, a day, or ISO 8601; milliseconds since the epoch. */
    until: (text: string): number => {
      const away = parseDuration(text);
      const at = away === null ? parseTime(text) : nowOf(io) + away;
      if (Number.isNaN(at)) throw new InvalidArgumentError(input.date(text));
      return at;
    },
    integer: (text: string): number => {
      const value = Number(text);
      if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) {
        throw new InvalidArgumentError(input.integer(text));
      }
      return value;
    },
    positive: (text: string): number => {
      const value = Number(text);
      if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
        throw new InvalidArgumentError(input.positive(text));
      }
      return value;
    },
    /** Not empty: `--option "$UNSET"` is a mistake. */
    text: (text: string): string => {
      if (text.trim() === '') throw new InvalidArgumentError(input.emptyValue(''));
      return text;
    },
    /** `a,b,c`; an empty list would be none of what the option names, or all of it. */
    list: (text: string): string[] => {
      const items = text.split(',').map((item) => item.trim());
      const given = items.filter(Boolean);
      if (given.length === 0) throw new InvalidArgumentError(input.emptyValue(text));
      return given;
    },
    /** An idempotency key, as the service takes it. */
    key: (text: string): string => {
      if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/.test(text)) {
        throw new InvalidArgumentError(input.key(text));
      }
      return text;
    },
    /** A repeatable option. */
    collect: (text: string, before: string[] | undefined): string[] => [...(before ?? []), text],
  };
}

function parseDuration(text: string): number | null {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  return digits === undefined || factor === undefined ? null : Math.round(Number(digits) * factor);
}

/** Without a zone it is Korean time, as in the API, wherever the machine is. */
function parseTime(text: string): number {
  const [, day, time = '00:00', zone = '+09:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ??
    [];
  return day !== undefined && isDay(day) ? Date.parse(`${day}T${time}${zone}`) : Number.NaN;
}

/** The runtime turns February 30 into March 2. */
function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}
