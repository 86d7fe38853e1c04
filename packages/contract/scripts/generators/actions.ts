import type { ActionDefinition, InstitutionDefinition } from '../../src/define-action.ts';
import type { JsonSchema } from '../../src/json-schema.ts';
import { inlineSchema } from '../../src/named-schemas.ts';
import { declare, record, typeNamed } from './typescript.ts';

/** `bank_b.accounts.list` → `BankBAccountsList`. */
function typeName(id: string): string {
  return id.replace(/(?:^|[._])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** An interface without members would accept any name; this one accepts none. */
function noParams(): JsonSchema {
  return { type: 'object', additionalProperties: { tsType: 'never' } };
}

function paramsOf({ params }: ActionDefinition): JsonSchema {
  return Object.keys(params.properties).length === 0 ? noParams() : inlineSchema(params);
}

function entryOf(action: ActionDefinition): JsonSchema {
  const name = typeName(action.id);
  const encrypted = Object.keys(action.encryptedFields).map((field) => `'${field}'`);
  return {
    description: `${action.title.en} (${action.title.ko}). ${action.description.en}`,
    ...record({
      provider: { const: action.provider },
      params: typeNamed(`${name}Params`),
      result: typeNamed(`${name}Result`),
      encryptedFields: typeNamed(encrypted.join(' | ') || 'never'),
    }),
  };
}

/** `actions.ts`: the params and result of each action, keyed by its id. */
export function generateActions(institutions: readonly InstitutionDefinition[]): Promise<string> {
  const actions = institutions.flatMap((institution) => institution.actions);
  const root = record(Object.fromEntries(actions.map((action) => [action.id, entryOf(action)])));
  const definitions = actions.flatMap((action) => [
    [`${typeName(action.id)}Params`, paramsOf(action)] as const,
    [`${typeName(action.id)}Result`, inlineSchema(action.result)] as const,
  ]);
  return declare('ActionMap', root, Object.fromEntries(definitions));
}
