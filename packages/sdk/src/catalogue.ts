/** The institutions and their actions with JSON Schemas, for tools that are built from them. Loaded on first use. */
export {
  type Catalogue,
  type CatalogueAction,
  type CatalogueInstitution,
  type JsonObjectSchema,
  type JsonSchema,
  loadCatalogue,
  type Text,
} from '@changgu/contract/catalogue';
