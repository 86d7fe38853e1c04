import type { Operation, OperationResponse } from '../../src/define-operation.ts';
import { isSchema, type JsonSchema } from '../../src/json-schema.ts';
import { extractNamed, type NamedSchemas } from '../../src/named-schemas.ts';
import { OPAQUE_NAMES } from '../../src/names/opaque-names.ts';
import { declare, describedFully, record, typeNamed } from './typescript.ts';

const OPAQUE: ReadonlySet<string> = new Set(OPAQUE_NAMES);
const ABSENT = typeNamed('undefined');

/** `camel.ts`: the named schemas in camelCase, as interfaces: a mapped type would lose every comment. */
export function generateCamel(named: NamedSchemas): Promise<string> {
  const names = [...named.keys()].sort();
  const root = record(Object.fromEntries(names.map((name) => [name, typeNamed(name)])));
  const definitions = names.map((name) => {
    const schema = camelCased(described(named, name));
    return [name, name.endsWith('Request') ? mayBeUndefined(schema) : schema] as const;
  });
  return declare('CamelTypes', root, Object.fromEntries(definitions));
}

/** `camel-operations.ts`: the input and output of every operation, in camelCase. */
export async function generateCamelOperations(operations: readonly Operation[]): Promise<string> {
  const named: NamedSchemas = new Map();
  const shape = (schema: object | undefined, owner: string) =>
    schema === undefined
      ? ABSENT
      : camelCased(describedFully(extractNamed(schema, named, typeNamed), owner));
  const output = ({ id, responses }: Operation): JsonSchema => {
    const shapes = Object.values(responses).map(({ schema, contentType }: OperationResponse) =>
      schema === undefined && contentType !== undefined ? typeNamed('unknown') : shape(schema, id),
    );
    const unlike = new Map(shapes.map((one) => [JSON.stringify(one), one]));
    return unlike.size === 1
      ? ([...unlike.values()][0] ?? ABSENT)
      : { anyOf: [...unlike.values()] };
  };
  const entry = (operation: Operation): JsonSchema => ({
    description: operation.summary,
    ...record({
      path: shape(operation.params, operation.id),
      query: mayBeUndefined(shape(operation.query, operation.id)),
      body: mayBeUndefined(shape(operation.body, operation.id)),
      output: output(operation),
    }),
  });
  const root = record(Object.fromEntries(operations.map((one) => [one.id, entry(one)])));
  const declarations = await declare('CamelOperations', root, {});
  const used = [...named.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(declarations));
  return `import type { ${used.sort().join(', ')} } from './camel.ts';\n\n${declarations}`;
}

/** A named schema in which every property has a description. */
export function described(named: NamedSchemas, name: string): JsonSchema {
  return describedFully(named.get(name) ?? {}, name);
}

/** A copy of a schema with its properties in camelCase, at every depth except inside opaque ones. */
function camelCased(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'required' && Array.isArray(value)) return [key, value.map(camelName)];
      if (key === 'properties' && isSchema(value)) return [key, camelProperties(value)];
      if (Array.isArray(value)) return [key, value.map((v) => (isSchema(v) ? camelCased(v) : v))];
      const nested = key === 'items' || key === 'additionalProperties';
      return [key, nested && isSchema(value) ? camelCased(value) : value];
    }),
  );
}

/** A copy in which `undefined` may be passed for optional values, for callers with optional values of their own. */
function mayBeUndefined(schema: JsonSchema): JsonSchema {
  const { properties, required } = schema;
  if (!isSchema(properties)) return schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const loosened = Object.entries(properties).map(([name, value]) => {
    if (!isSchema(value) || needed.includes(name)) return [name, value];
    const { description, ...type } = value;
    const kinds: readonly unknown[] = Array.isArray(type.anyOf) ? type.anyOf : [type];
    return [name, { description, anyOf: [...kinds, ABSENT] }];
  });
  return { ...schema, properties: Object.fromEntries(loosened) };
}

function camelProperties(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => {
      const renames = isSchema(value) && !OPAQUE.has(name);
      return [camelName(name), renames ? camelCased(value) : value];
    }),
  );
}

function camelName(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
