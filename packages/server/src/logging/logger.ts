import { type DestinationStream, type Logger, pino } from 'pino';

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
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRET_PATHS, censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}
