import { isSensitiveName, nearest } from '@changgu/sdk/catalogue';
import { Ajv } from '@modelcontextprotocol/server/validators/ajv';

/** One thing that is wrong with arguments. */
export interface ArgumentProblem {
  /** Dotted path of the field. */
  readonly field: string;
  readonly problem: string;
}

type Check = ReturnType<InstanceType<typeof Ajv>['compile']>;
type Violation = NonNullable<Check['errors']>[number];

const checks = new WeakMap<object, Check>();

/** By a compiler of its own: one for all would keep every schema of every caller for good. */
function checkOf(schema: object): Check {
  const options = { allErrors: true, strict: false, validateSchema: false, verbose: true };
  const check = checks.get(schema) ?? new Ajv(options).compile(schema);
  checks.set(schema, check);
  return check;
}

/**
 * What is wrong with arguments, in words that name each field.
 * @param schema the same object for the same tool: it is compiled once
 */
export function checkArguments(schema: object, args: unknown): readonly ArgumentProblem[] {
  const validate = checkOf(schema);
  return validate(args) ? [] : (validate.errors ?? []).map(problemOf);
}

function problemOf(violation: Violation): ArgumentProblem {
  const path = violation.instancePath.split('/').slice(1);
  const { params, keyword, message = 'is not valid' } = violation;
  switch (keyword) {
    case 'required':
      return { field: [...path, params.missingProperty].join('.'), problem: 'is required' };
    case 'additionalProperties':
      return unknownField(violation, path, String(params.additionalProperty));
    case 'enum':
      return { field: fieldOf(path), problem: `must be one of ${params.allowedValues.join(', ')}` };
    default:
      return { field: fieldOf(path), problem: message };
  }
}

/** The name is the caller's: shown only as far as it can be a name. */
function unknownField(
  { parentSchema }: Violation,
  path: readonly string[],
  name: string,
): ArgumentProblem {
  const known = Object.keys(parentSchema?.properties ?? {});
  const near = nearest(name, known);
  const hint = near ? `did you mean ${near}?` : `known: ${known.join(', ') || 'none'}`;
  const shown = name.replace(/[^\w.-]/g, '_').slice(0, 40);
  const field = [...path, shown].join('.');
  if (isSensitiveName(name)) return { field, problem: NEVER_AN_ARGUMENT };
  return { field, problem: `does not exist; ${hint}` };
}

const NEVER_AN_ARGUMENT =
  'is a secret, and never an argument: the person registers it with `changgu links create` in a terminal, or as a reference in the file of CHANGGU_MCP_SECRETS';

function fieldOf(path: readonly string[]): string {
  return path.join('.') || 'arguments';
}
