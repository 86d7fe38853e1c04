import type { JsonObjectSchema } from '@changgu/contract/catalogue';

/** The required params with the schema's examples: a call that runs unchanged. */
export function exampleParams({ properties, required = [] }: JsonObjectSchema) {
  return Object.fromEntries(
    required.map((name) => {
      const { examples, default: usual, enum: values, type } = properties[name] ?? {};
      return [name, firstOf(examples) ?? usual ?? firstOf(values) ?? emptyOf(type)];
    }),
  );
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function emptyOf(type: unknown): unknown {
  if (type === 'integer' || type === 'number') return 1;
  return type === 'boolean' ? false : '1';
}
