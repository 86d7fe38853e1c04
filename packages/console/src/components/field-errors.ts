import { createContext } from 'preact';
import { ApiError } from '../api/api-error.ts';
import { fieldMessage } from '../app/field-message.ts';

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

export function fieldErrors(
  error: Error | undefined,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> {
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
