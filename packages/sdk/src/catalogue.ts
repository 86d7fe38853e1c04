/** The institutions and their actions with JSON Schemas, for tools that are built from them. Loaded on first use. */

/** The name that is fewest edits away, if it is near enough to be what was meant: for "did you mean". */
export { nearest } from '@changgu/contract';
export {
  type Catalogue,
  type CatalogueAction,
  type CatalogueInstitution,
  type JsonObjectSchema,
  type JsonSchema,
  loadCatalogue,
  type Text,
} from '@changgu/contract/catalogue';
