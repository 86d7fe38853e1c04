import type { Text } from '../action.ts';
import type { Kind } from './kinds.ts';
import { nearest } from './nearest.ts';
import { type AnyVariable, type Program, VARIABLES, type VariableKey } from './variables.ts';

type Value<V> = V extends { kind: Kind<infer T>; default: infer D }
  ? V extends { perProvider: true }
    ? Readonly<Record<string, T>>
    : D extends string
      ? T
      : T | undefined
  : never;

type KeyOf<P extends Program> = {
  [K in VariableKey]: P extends (typeof VARIABLES)[K]['programs'][number] ? K : never;
}[VariableKey];

/** The typed values of one program's variables. Per-provider variables are records by provider. */
export type Environment<P extends Program> = {
  readonly [K in KeyOf<P>]: Value<(typeof VARIABLES)[K]>;
};

export type EnvironmentResult<P extends Program> =
  | { readonly ok: true; readonly values: Environment<P>; readonly given: ReadonlySet<VariableKey> }
  | { readonly ok: false; readonly errors: readonly Text[] };

const PREFIX = 'CHANGGU_';
const ENTRIES = Object.entries(VARIABLES) as readonly (readonly [VariableKey, AnyVariable])[];

/** Variables that Kubernetes adds for a service named changgu or changgu-…; a bare `_PORT` only with an address. */
const SERVICE_LINK =
  /^CHANGGU_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const SERVICE_PORT = /^CHANGGU_(?:\w+_)?PORT$/;
/** Settings of our own tests. */
const TEST_VARIABLE = /^CHANGGU_TEST_/;

/**
 * Reads one program's settings from its environment. An empty value counts as absent.
 * Variables of the other programs and Kubernetes service links are ignored; any other unknown CHANGGU_ name is an error.
 * @returns the values including defaults and the names that were set, or one line for every error
 */
export function readEnvironment<P extends Program>(
  program: P,
  env: Readonly<Record<string, string | undefined>>,
): EnvironmentResult<P> {
  const errors = unknownNames(program, env);
  const values: Record<string, unknown> = {};
  const given = new Set<VariableKey>();
  for (const [key, variable] of ENTRIES) {
    if (!variable.programs.includes(program)) continue;
    const found = variable.perProvider ? readPerProvider(variable, env) : readOne(variable, env);
    errors.push(...found.errors);
    values[key] = found.value;
    if (found.given) given.add(key);
  }
  if (errors.length > 0) return { ok: false, errors };
  // The table's types define each key's value; the loop above fills exactly the keys of the program.
  return { ok: true, values: values as Environment<P>, given };
}

interface Found {
  readonly value: unknown;
  readonly given: boolean;
  readonly errors: readonly Text[];
}

function readOne(variable: AnyVariable, env: Readonly<Record<string, string | undefined>>): Found {
  const text = env[variable.name]?.trim();
  const used = text || variable.default;
  if (used === null) return { value: undefined, given: false, errors: [] };
  return { ...parse(variable, variable.name, used), given: Boolean(text) };
}

function readPerProvider(
  variable: AnyVariable,
  env: Readonly<Record<string, string | undefined>>,
): Found {
  const value: Record<string, unknown> = {};
  const errors: Text[] = [];
  for (const [name, raw] of Object.entries(env)) {
    const text = raw?.trim();
    if (!text || !name.startsWith(variable.name) || name === variable.name) continue;
    const parsed = parse(variable, name, text);
    errors.push(...parsed.errors);
    value[name.slice(variable.name.length).toLowerCase()] = parsed.value;
  }
  return { value, given: Object.keys(value).length > 0, errors };
}

/** A secret's text never appears in its error. */
function parse({ kind, secret }: AnyVariable, name: string, text: string) {
  const parsed = kind.parse(text);
  if ('value' in parsed) return { value: parsed.value, errors: [] };
  const { ko, en } = parsed.expected;
  const error = {
    ko: `${name}: ${ko}만 사용할 수 있습니다.${secret ? '' : ` 입력한 값은 "${text}"입니다.`}`,
    en: `${name} must be ${en}${secret ? '' : `, not "${text}"`}`,
  };
  return { value: undefined, errors: [error] };
}

function unknownNames(program: Program, env: Readonly<Record<string, string | undefined>>): Text[] {
  const own = ENTRIES.filter(([, { programs }]) => programs.includes(program));
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith(PREFIX) && !isKnown(name, value ?? ''))
    .map(([name]) => {
      const guess = nearest(
        name,
        own.map(([, variable]) => variable.name),
      );
      return {
        ko: `창구에 없는 설정입니다: ${name}${guess ? `. 혹시 ${guess}입니까?` : ''}`,
        en: `${name} is not a setting of Changgu${guess ? `; did you mean ${guess}?` : ''}`,
      };
    });
}

function isKnown(name: string, value: string): boolean {
  if (SERVICE_LINK.test(name) || TEST_VARIABLE.test(name)) return true;
  if (SERVICE_PORT.test(name) && /^(?:tcp|udp|sctp):\/\//.test(value)) return true;
  return ENTRIES.some(([, variable]) =>
    variable.perProvider
      ? name.startsWith(variable.name) && name !== variable.name
      : name === variable.name,
  );
}
