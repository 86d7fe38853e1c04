/** The loggable part of an unexpected error: where it came from, and nothing of its message. */
export interface Fault {
  readonly type: string;
  readonly code?: string;
  readonly frames: readonly string[];
  readonly cause?: Fault;
}

const MAX_CAUSES = 3;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
/** PostgreSQL's, of which many begin with a digit. From elsewhere five digits may be a PIN. */
const SQLSTATE = /^[0-9A-Z]{5}$/;
const FRAME = /^ {4}at /;

/**
 * A connector handles passwords, so its errors may contain one in message, properties or
 * name: only class, code and stack frames are kept.
 */
export function faultOf(thrown: unknown, causes = MAX_CAUSES): Fault {
  if (!(thrown instanceof Error)) return { type: typeof thrown, frames: [] };
  const { code } = thrown as { readonly code?: unknown };
  const type = thrown.constructor.name;
  return {
    type,
    ...(isCode(code, type) ? { code } : {}),
    frames: framesOf(thrown),
    ...(thrown.cause === undefined || causes === 0
      ? {}
      : { cause: faultOf(thrown.cause, causes - 1) }),
  };
}

function isCode(code: unknown, type: string): code is string {
  if (typeof code !== 'string') return false;
  return CODE.test(code) || (type === 'DatabaseError' && SQLSTATE.test(code));
}

/** The stack begins with the message, which may contain lines that look like frames. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  const after = at < 0 ? stack : stack.slice(at + message.length);
  return after
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim());
}
