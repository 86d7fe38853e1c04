import type { Operation } from '../../src/define-operation.ts';
import { extractNamed, type NamedSchemas } from '../../src/named-schemas.ts';
import * as face from '../../src/schemas.ts';
import { described } from './camel.ts';
import { declare, record, typeNamed } from './typescript.ts';

/** Every named schema: those of the operations, and those exported only by the schemas. */
export function collectNamed(operations: readonly Operation[]): NamedSchemas {
  const named: NamedSchemas = new Map();
  const collect = (value: unknown) => {
    if (typeof value === 'object' && value !== null) extractNamed(value, named, typeNamed);
  };
  for (const { params, query, body, responses } of operations) {
    for (const schema of [params, query, body]) collect(schema);
    for (const response of Object.values(responses)) collect(response.schema);
  }
  for (const value of Object.values(face)) {
    if (typeof value === 'object' && '$id' in value) collect(value);
  }
  return named;
}

/** `wire.ts`: a plain interface for every named schema. */
export function generateWire(named: NamedSchemas): Promise<string> {
  const names = [...named.keys()].sort();
  const root = record(Object.fromEntries(names.map((name) => [name, typeNamed(name)])));
  return declare(
    'WireTypes',
    root,
    Object.fromEntries(names.map((name) => [name, described(named, name)])),
  );
}
