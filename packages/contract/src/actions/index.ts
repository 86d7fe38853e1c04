import type { InstitutionDefinition } from '../define-action.ts';

/** Every institution of the product, in the order of the catalogue. */
export const INSTITUTIONS: readonly InstitutionDefinition[] = [];
