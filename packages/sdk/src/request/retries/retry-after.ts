import { isRecord } from '../../shape.ts';

interface HintSource {
  readonly headers: { get(name: string): string | null };
  /** The parsed body, of any type. */
  readonly body?: unknown;
  /** Local time in milliseconds, used only where the answer has no Date header. */
  readonly now: number;
}

/**
 * When the service wants the next request, in milliseconds; null when it did not say.
 * Three forms: seconds, an HTTP date (all of IMF, RFC 850 and asctime), and `retry_after_seconds` in the body.
 * A date is measured against the service's own Date header, so a wrong local clock does not matter.
 */
export function retryAfterMs({ headers, body, now }: HintSource): number | null {
  const header = headers.get('retry-after')?.trim();
  if (header && /^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const date = header ? parseHttpDate(header) : null;
  if (date !== null) return Math.max(0, date - (serverTime(headers) ?? now));
  return secondsInBody(body);
}

/** The service's clock by its Date header, in milliseconds. */
function serverTime(headers: HintSource['headers']): number | null {
  const date = headers.get('date');
  return date ? parseHttpDate(date) : null;
}

/**
 * The asctime form has no zone and would be read as local time; HTTP means GMT. All forms begin with the day: anything
 * else is not an HTTP date, though `Date.parse` would find one even in `-3`.
 */
function parseHttpDate(text: string): number | null {
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? /.test(text)) return null;
  const asctime = /^[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/.test(text);
  const milliseconds = Date.parse(asctime ? `${text} GMT` : text);
  return Number.isNaN(milliseconds) ? null : milliseconds;
}

function secondsInBody(body: unknown): number | null {
  const seconds = isRecord(body) ? body.retry_after_seconds : null;
  return typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : null;
}
