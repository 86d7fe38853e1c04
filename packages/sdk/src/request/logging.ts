import { ConfigurationError } from '../errors/transport-errors.ts';
import { environmentVariable } from '../runtime.ts';
import type { Logger } from './http.ts';

const LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const;

/** From all to none. */
export type LogLevel = (typeof LEVELS)[number];

/**
 * A client's logger: the given one or standard error, from the given level on; undefined for none. The variable is for
 * whoever looks for a fault, so a level in it that there is not must not become another.
 */
export function leveledLogger(
  given: Logger | undefined,
  level: string | undefined,
): Logger | undefined {
  const asked = environmentVariable('CHANGGU_LOG');
  const usual = LEVELS.find((name) => name === asked) ?? (given ? 'debug' : 'off');
  const lowest = LEVELS.findIndex((name) => name === (level ?? usual));
  if (lowest < 0) throw new ConfigurationError(`logLevel must be one of ${LEVELS.join(', ')}.`);
  if (lowest === LEVELS.indexOf('off')) return undefined;
  const write = given ? writerOf(given) : writeToStandardError;
  const at = (name: Exclude<LogLevel, 'off'>) => (message: string, fields: Fields) => {
    if (LEVELS.indexOf(name) >= lowest) write(name, message, fields);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

type Fields = Record<string, unknown>;
type Write = (level: Exclude<LogLevel, 'off'>, message: string, fields: Fields) => void;

/** pino and similar loggers take the fields first. */
function writerOf(logger: Logger): Write {
  const takesFieldsFirst = typeof Reflect.get(logger, 'bindings') === 'function';
  if (!takesFieldsFirst) return (level, message, fields) => logger[level](message, fields);
  // The types of such loggers allow both orders.
  return (level, message, fields) =>
    Reflect.apply(logger[level], logger, [fields, `changgu: ${message}`]);
}

/** All levels, because standard output belongs to the program. */
function writeToStandardError(level: string, message: string, fields: Fields): void {
  console.error(`changgu ${level}: ${message}`, fields);
}
