/** The institutions and their actions with JSON Schemas, for tools that are built from them. Loaded on first use. */

/** The error table: what a code means and what to do about it, for tools that tell it to people or models. */
/** The name that is fewest edits away, if it is near enough to be what was meant: for "did you mean". */
export {
  ERRORS,
  type ErrorCode,
  inTermsOf,
  isErrorCode,
  type KnownFailure,
  NEXT_STEP_TERMS,
  type NextStep,
  type NextStepKind,
  type NextStepTerms,
  nearest,
  nextStep,
  nextStepOf,
} from '@changgu/contract';
export {
  actSummary,
  type Catalogue,
  type CatalogueAction,
  type CatalogueInstitution,
  DATA_FORMS,
  type JsonObjectSchema,
  type JsonSchema,
  loadCatalogue,
  markUntrusted,
  maskNumbers,
  portableParams,
  RESULT_VIEW_PROPERTIES,
  type ResultView,
  type ShownData,
  searchActions,
  type Text,
  type UntrustedText,
  viewData,
} from '@changgu/contract/catalogue';
