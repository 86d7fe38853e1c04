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
  const date = parseHttpDate(header);
  if (date === null) return secondsInBody(body);
  return Math.max(0, date - (parseHttpDate(headers.get('date')) ?? now));
}

/**
 * The asctime form ends in the year, without a zone, and would be read as local time; HTTP means GMT. All forms begin with the day: anything
 * else is not an HTTP date, though `Date.parse` would find one even in `-3`.
 */
function parseHttpDate(text: string | null | undefined): number | null {
  if (!text || !/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? /.test(text)) return null;
  const asctime = / \d{4}$/.test(text);
  return Date.parse(asctime ? `${text} GMT` : text) || null;
}

function secondsInBody(body: unknown): number | null {
  const seconds = isRecord(body) ? body.retry_after_seconds : null;
  return typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : null;
}
