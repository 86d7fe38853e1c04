import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { faultOf } from '../failures/fault.ts';

export type { Logger };

/** Never logged by any logger. Requests are logged without headers and bodies anyway. */
const SECRET_PATHS = [
  'authorization',
  'password',
  'client_secret',
  'clientSecret',
  'access_token',
  'headers.authorization',
  'headers["x-api-key"]',
  'headers.cookie',
  'req.headers.authorization',
  'req.headers["x-api-key"]',
  'req.headers.cookie',
];

/** JSON lines with times in ISO format, UTC, as log pipelines expect. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
    hooks: {
      logMethod([line, message, ...values], method) {
        method.apply(this, [...withoutErrorText(line, message), ...values]);
      },
    },
  };
  return pino(options, destination ?? standardOutput());
}

/** Unwritten lines that are kept; further ones are lost. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/**
 * Standard output as pino writes it by default, but where the disk of the log is full: that would end the server, and
 * then keep the process from ending, because the last lines would be tried again until there is room.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, maxLength: MAX_UNWRITTEN_BYTES });
  const flushSync = stream.flushSync.bind(stream);
  let isFull = false;
  stream.on('error', () => {
    isFull = true;
  });
  stream.on('write', () => {
    isFull = false;
  });
  stream.flushSync = () => {
    if (!isFull) flushSync();
  };
  return stream;
}

/**
 * Our own lines carry a fault already. Libraries log errors whole, often with the error's text as the line's,
 * and that may contain a password.
 */
function withoutErrorText(line: unknown, message: string | undefined): [object, string?] {
  const { err: error = line, ...rest } = Object(line) as { readonly err?: unknown };
  if (!(error instanceof Error)) {
    // As it was: an object, or the line's text.
    return message === undefined ? [line as object] : [line as object, message];
  }
  const text = message === undefined || message === error.message ? 'unexpected error' : message;
  return [{ ...(error === line ? {} : rest), fault: faultOf(error) }, text];
}
