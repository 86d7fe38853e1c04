import type { CatalogueInstitution } from './action.ts';
import type { InstitutionDefinition } from './define-action.ts';
import type { JsonObjectSchema } from './json-schema.ts';
import { inlineSchema } from './named-schemas.ts';

/** Institutions with their schemas as plain JSON; also of a team's own institutions. */
export function toCatalog(
  institutions: readonly InstitutionDefinition[],
): readonly CatalogueInstitution[] {
  return institutions.map((institution) => ({
    ...institution,
    actions: institution.actions.map((action) => ({
      ...action,
      // Both are TypeBox objects, so their JSON is an object schema.
      params: inlineSchema(action.params) as JsonObjectSchema,
      result: inlineSchema(action.result) as JsonObjectSchema,
    })),
  }));
}
