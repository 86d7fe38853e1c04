import { compile } from 'json-schema-to-typescript';
import type { JsonSchema } from '../../src/json-schema.ts';
import { withFieldTexts } from '../../src/texts/field-texts.ts';

type Compiled = Parameters<typeof compile>[0];

const PROVENANCE = String.raw` \* This interface was referenced by .*\n \* via the .*\n`;
const PROVENANCE_COMMENT = new RegExp(String.raw`/\*\*\n${PROVENANCE} \*/\n`, 'g');
const PROVENANCE_LINES = new RegExp(String.raw`(?: \*\n)?${PROVENANCE}`, 'g');

/** Schemas by type name, as TypeScript declarations; `root` becomes the interface `rootName`. */
export async function declare(
  rootName: string,
  root: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
): Promise<string> {
  // JsonSchema is the same data with a readonly index signature.
  const schema = { ...root, title: rootName, definitions } as Compiled;
  const code = await compile(schema, rootName, {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    unknownAny: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 100 },
  });
  return code.replace(PROVENANCE_COMMENT, '').replace(PROVENANCE_LINES, '');
}

/** A schema generated as the TypeScript type `type`, verbatim. */
export function typeNamed(type: string): JsonSchema {
  return { tsType: type };
}

/** An object with all of `properties` required. */
export function record(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** A schema in which every property has a description. @throws Error for a property without one */
export function describedFully(schema: JsonSchema, owner: string): JsonSchema {
  return withFieldTexts(schema, owner, (type, field) => {
    throw new Error(
      `${type}.${field} has no description: give its schema one, or add it to field-texts.ts.`,
    );
  });
}
