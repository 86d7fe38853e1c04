import type { ClientOptions } from './client-options.ts';
import { ConfigurationError } from './errors/transport-errors.ts';

type Check = (value: unknown) => boolean;

interface Rule {
  readonly test: Check;
  readonly must: string;
}

const isTime: Check = (value) => typeof value === 'number' && value >= 0;
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isPositive: Check = (value) => isCount(value) && value !== 0;
const TIME = { test: isTime, must: 'be milliseconds, 0 or more' };
const COUNT = { test: isCount, must: 'be a whole number, 0 or more' };
const POSITIVE = { test: isPositive, must: 'be a whole number above 0' };

/** The rule for an option, wherever it is given. */
const RULES = {
  attemptTimeoutMs: TIME,
  totalTimeoutMs: TIME,
  stallTimeoutMs: TIME,
  maxRetryAfterMs: TIME,
  timeoutMs: TIME,
  graceMs: TIME,
  maxRetries: COUNT,
  concurrency: POSITIVE,
  connections: POSITIVE,
  connectTimeoutMs: TIME,
  waits: COUNT,
  ratio: TIME,
  burst: TIME,
  organizationId: POSITIVE,
} as const;

const RULES_BY_NAME: ReadonlyMap<string, Rule> = new Map(Object.entries(RULES));

/** Checks every given option that has a rule. @throws ConfigurationError that names the option */
export function checkOptions(options: { readonly [Name in keyof typeof RULES]?: unknown }): void {
  for (const [name, value] of Object.entries(options)) {
    const rule = RULES_BY_NAME.get(name);
    if (rule === undefined || value === undefined || rule.test(value)) continue;
    throw new ConfigurationError(`${name} must ${rule.must}.`);
  }
}

/** @throws ConfigurationError that names the option */
export function checkClientOptions(options: ClientOptions): void {
  const { connection = {}, retryBudget, language } = options;
  checkOptions(options);
  checkOptions(connection);
  if (retryBudget) checkOptions({ ...retryBudget });
  if (language !== undefined && language !== 'ko' && language !== 'en') {
    throw new ConfigurationError('language must be ko or en.');
  }
}
