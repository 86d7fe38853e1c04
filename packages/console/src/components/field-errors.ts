import type { ErrorCode } from '@changgu/contract';
import { createContext } from 'preact';
import { ApiError } from '../api/api-error.ts';
import { fieldMessage } from '../app/field-message.ts';

/** What is wrong with a field, with a message for the person. */
export class FieldError extends Error {
  override readonly name = 'FieldError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** What the service refused, by the name of the field in the form. */
export const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map());

type Refused = NonNullable<NonNullable<ApiError['facts']>['fields']>[number];

export function refusedFields(error: unknown): readonly Refused[] {
  return error instanceof ApiError ? (error.facts?.fields ?? []) : [];
}

/** The last name that the form has: it may hold what is named after it. */
export function fieldOf({ loc }: Refused, names: ReadonlySet<string>): string | undefined {
  return loc.map(String).findLast((part) => names.has(part));
}

type Names = readonly string[];

/** What codes are about for which the service names no field; a form has one of these names. */
const FIELDS_OF_CODES: ReadonlyMap<string, Names> = new Map<ErrorCode, Names>([
  ['PASSWORD_MISMATCH', ['current_password', 'password']],
  ['PASSWORD_POLICY', ['new_password', 'password']],
  ['FACTOR_CODE_INVALID', ['factor_code', 'code']],
  ['EMAIL_ALREADY_REGISTERED', ['email']],
]);

/** The field of the form that an error is about as a whole: there is nothing else to say of it. */
export function soleFieldOf(error: Error, names: ReadonlySet<string>): string | undefined {
  const fields =
    error instanceof FieldError ? [error.field] : FIELDS_OF_CODES.get(codeOf(error) ?? '');
  return fields?.find((name) => names.has(name));
}

function codeOf(error: Error): string | undefined {
  return error instanceof ApiError ? error.facts?.code : undefined;
}

export function fieldErrors(
  error: Error | undefined,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  if (error === undefined) return new Map();
  const sole = soleFieldOf(error, names);
  if (sole !== undefined) return new Map([[sole, withAdvice(error)]]);
  const found = new Map<string, string>();
  for (const refused of refusedFields(error)) {
    const name = fieldOf(refused, names);
    if (name === undefined) continue;
    const { loc, msg } = refused;
    const within = loc.slice(loc.lastIndexOf(name) + 1).filter((part) => typeof part === 'string');
    const said = [within.join('.'), fieldMessage(msg)].filter((text) => text !== '').join(': ');
    const before = found.get(name);
    found.set(name, before === undefined ? said : `${before} ${said}`);
  }
  return found;
}

function withAdvice(error: Error): string {
  const advice = error instanceof ApiError ? error.facts?.next_action : undefined;
  return [error.message, ...(advice === undefined ? [] : [advice])].join(' ');
}
