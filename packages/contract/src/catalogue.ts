import type { CatalogueAction, CatalogueInstitution } from './action.ts';

export type { CatalogueAction, CatalogueInstitution, Text } from './action.ts';
export { credentialAdvice, type RejectedCredential } from './agents/credential-advice.ts';
export { type ShownFileName, shownFileName } from './agents/file-names.ts';
export {
  type JobResource,
  jobFileUri,
  jobResourceOf,
  jobResourceTemplates,
  jobUri,
  MAX_RESOURCE_BYTES,
} from './agents/job-resources.ts';
export { loginActions } from './agents/login-actions.ts';
export { listPrompts, type PromptTools, promptText } from './agents/prompts.ts';
export { blamingParams } from './agents/wrong-params.ts';
export type { JsonObjectSchema, JsonSchema } from './json-schema.ts';
export { maskNumbers } from './masking.ts';
export { RESERVED_PARAMS, type ReservedParam } from './names/reserved-params.ts';
export { orNull, portableOutput, portableParams } from './portable-schema.ts';
export {
  type LinePage,
  namedAgain,
  pageOfLines,
  readsOn,
  viewOfLine,
} from './result-view/line-page.ts';
export {
  DATA_FORMS,
  RESULT_BUDGET,
  RESULT_VIEW_PROPERTIES,
  type ResultView,
  type ShownData,
  viewData,
} from './result-view/result-view.ts';
export { searchActions } from './search/search-actions.ts';
export { actSummary, type ProposedAct } from './texts/act-summary.ts';
export { paramText, valueText } from './texts/param-texts.ts';
export { shownMediaType } from './untrusted/media-types.ts';
export { markUntrusted, type UntrustedText } from './untrusted/untrusted-text.ts';

export interface Catalogue {
  readonly institutions: readonly CatalogueInstitution[];
  /** Every action, by its id. */
  readonly actions: ReadonlyMap<string, CatalogueAction>;
}

let loaded: Promise<Catalogue> | undefined;

/** Institutions and actions with their JSON Schemas; read on first use and shared afterwards. */
export function loadCatalogue(): Promise<Catalogue> {
  loaded ??= read();
  return loaded;
}

async function read(): Promise<Catalogue> {
  const { default: json } = await import('./generated/catalogue.json', { with: { type: 'json' } });
  // The file is generated from typed definitions, and a test proves that it still matches them.
  const { institutions } = json as { institutions: readonly CatalogueInstitution[] };
  const all = institutions.flatMap(({ actions }) => actions);
  return { institutions, actions: new Map(all.map((action) => [action.id, action])) };
}
