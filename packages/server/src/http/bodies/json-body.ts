import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@changgu/contract';
import {
  type FieldViolation,
  invalidShape,
  invalidValue,
  MAX_FIELDS,
  ServiceError,
} from '../../rules/service-error.ts';
import { type JsonPlace, pathTo, walkJson } from '../../rules/submission/walk-json.ts';

/**
 * Parses a JSON body. An empty body with a JSON content type is undefined, not an error.
 * @param above number of levels around `params` in the body
 * @throws ServiceError 400 json_invalid; 422 for integers that parsing would change, for depth and for `__proto__`
 */
export function parseJsonBody(bytes: Buffer, above = 1): unknown {
  return parseWithin({ ...USUAL, above }, bytes);
}

/**
 * Parses a body that holds objects of any form, whose size alone is limited.
 * @throws ServiceError as `parseJsonBody`
 */
export function parseFreeFormBody(bytes: Buffer): unknown {
  return parseWithin(FREE_FORM, bytes);
}

interface BodyLimits {
  readonly values: number;
  readonly members: number;
  readonly levels: number;
  /** Levels that do not count. */
  readonly above: number;
}

const USUAL: Omit<BodyLimits, 'above'> = {
  values: LIMITS.bodyNodes,
  members: LIMITS.objectMembers,
  levels: LIMITS.paramsDepth,
};

const FREE_FORM: BodyLimits = {
  values: LIMITS.freeFormNodes,
  members: LIMITS.freeFormNodes,
  levels: LIMITS.freeFormDepth,
  above: 0,
};

function parseWithin(limits: BodyLimits, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw malformed('Invalid UTF-8');
  const body = parse(bytes.toString());
  const violations = inspect(body, limits);
  if (violations.length > 0) throw invalidShape(violations);
  return body;
}

/** @throws ServiceError 415 for a compressed body, which could be of any size once decompressed */
export function assertNotEncoded(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity') return;
  throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', {
    headers: { 'accept-encoding': 'identity' },
    message: {
      ko: '압축된 본문은 받지 않습니다. Content-Encoding 없이 보내십시오.',
      en: 'Compressed bodies are not accepted. Send the body without Content-Encoding.',
    },
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformed(cause instanceof Error ? withoutExcerpt(cause.message) : 'Invalid JSON');
  }
}

/** V8's message quotes the body, which must not reach an answer or a log. */
function withoutExcerpt(message: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? 'Invalid JSON' : `Invalid JSON at position ${position}`;
}

function malformed(msg: string): ServiceError {
  return invalidValue([{ loc: ['body'], msg, type: 'json_invalid' }]);
}

/**
 * Rejects what JSON.parse accepts: numbers that lost digits.
 * @throws ServiceError 422 for depth, for too many values and for the name `__proto__`
 */
function inspect(body: unknown, limits: BodyLimits): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const count = createNodeCount(limits);
  walkJson(body, (value, key, within) => {
    count(key, within);
    if (typeof value === 'number') {
      if (losesDigits(value) && violations.length < MAX_FIELDS) {
        violations.push(tooLarge(['body', ...pathTo(key, within)]));
      }
    } else if (
      typeof value === 'object' &&
      value !== null &&
      within.depth >= limits.levels + limits.above
    ) {
      throw invalidShape([tooDeep(['body', ...pathTo(key, within)], limits)]);
    }
    // Harmless here, but whoever assigns it to an object of theirs replaces its prototype.
    if (key === '__proto__') throw invalidShape([badName(['body', ...pathTo(key, within)])]);
  });
  return violations;
}

/**
 * Stops before a validator would report each of a hundred thousand unknown names.
 * @throws ServiceError 422
 */
function createNodeCount(limits: BodyLimits): (key: string | number, within: JsonPlace) => void {
  let nodes = 0;
  let members = 0;
  let current: JsonPlace | undefined;
  return (key, within) => {
    nodes += 1;
    if (nodes > limits.values) {
      throw invalidShape([tooMany(['body'], `${limits.values} values`)]);
    }
    if (typeof key === 'number') return;
    members = within === current ? members + 1 : 1;
    current = within;
    if (members > limits.members) {
      const path = pathTo(key, within).slice(0, -1);
      throw invalidShape([tooMany(['body', ...path], `${limits.members} members`)]);
    }
  };
}

function tooMany(loc: FieldViolation['loc'], most: string): FieldViolation {
  return { loc, msg: `At most ${most} are allowed`, type: 'too_long' };
}

/** Integers beyond the safe range lose precision (RFC 7493), so two different requests could look the same. */
function losesDigits(value: number): boolean {
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

function tooLarge(loc: FieldViolation['loc']): FieldViolation {
  return {
    loc,
    msg: 'Unable to parse input string as an integer, exceeded maximum size',
    type: 'int_parsing_size',
  };
}

function badName(loc: FieldViolation['loc']): FieldViolation {
  return { loc, msg: `The name ${loc.at(-1)} is not allowed`, type: 'value_error' };
}

function tooDeep(loc: FieldViolation['loc'], { levels }: BodyLimits): FieldViolation {
  return { loc, msg: `Nesting is limited to ${levels} levels`, type: 'value_error' };
}
