import type { Operation, OperationResponse } from '../../src/define-operation.ts';
import type { JsonSchema } from '../../src/json-schema.ts';
import { extractNamed, type NamedSchemas } from '../../src/named-schemas.ts';
import { declare, describedFully, record, typeNamed } from './typescript.ts';

const ABSENT = typeNamed('undefined');

/** `operations.ts`: method, path and shapes of every operation, keyed by its id. */
export async function generateOperations(operations: readonly Operation[]): Promise<string> {
  const named: NamedSchemas = new Map();
  const shape = (schema: object | undefined, owner: string) =>
    schema === undefined ? ABSENT : describedFully(extractNamed(schema, named, typeNamed), owner);
  const response = ({ schema, contentType }: OperationResponse, owner: string) =>
    schema === undefined && contentType !== undefined ? typeNamed('unknown') : shape(schema, owner);
  const entry = (operation: Operation): JsonSchema => ({
    description: operation.summary,
    ...record({
      method: { const: operation.method },
      path: { const: operation.path },
      params: shape(operation.params, operation.id),
      query: shape(operation.query, operation.id),
      body: shape(operation.body, operation.id),
      responses: record(
        Object.fromEntries(
          Object.entries(operation.responses).map(([status, value]) => [
            status,
            response(value, operation.id),
          ]),
        ),
      ),
    }),
  });
  const root = record(Object.fromEntries(operations.map((one) => [one.id, entry(one)])));
  const declarations = await declare('OperationMap', root, {});
  const used = [...named.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(declarations));
  return `import type { ${used.sort().join(', ')} } from './wire.ts';\n\n${declarations}`;
}
