import type {
  ActionFacts,
  CatalogueAction,
  InstitutionFacts,
  JsonObjectSchema,
  Text,
} from '@changgu/contract';
import type { Connector, InstitutionModule, InstitutionSite } from './connector.ts';

/** An action of a custom institution: its catalog entry and its implementation. */
export interface OwnAction
  extends Partial<Omit<ActionFacts, 'id' | 'provider' | 'title' | 'taxPortal'>> {
  /** The full id, which begins with the provider and a dot. */
  readonly id: string;
  readonly title: Text;
  /** JSON Schema of the params; unknown names are passed on. */
  readonly params: JsonObjectSchema;
  /** JSON Schema of `result.data` outside sandbox. */
  readonly result: JsonObjectSchema;
  readonly connector: Connector;
}

/** A custom institution. */
export interface OwnInstitution
  extends Partial<Omit<InstitutionFacts, 'provider' | 'title' | 'linkTypes'>> {
  /** `^[a-z][a-z0-9_]{0,63}$`, and not a built-in one. */
  readonly provider: string;
  readonly title: Text;
  /** Accepted link types. */
  readonly linkTypes: InstitutionFacts['linkTypes'];
  readonly site?: InstitutionSite;
  readonly actions: readonly OwnAction[];
}

const PROVIDER = /^[a-z][a-z0-9_]{0,63}$/;
const ACTION = /^[a-z][a-z0-9_.]{0,63}$/;
const TOOL_NAME_LENGTH = 40;
const MAX_TIMEOUT_SECONDS = 86_400;
const MAX_USAGE_TOKENS = 1_000_000;

/**
 * Defines a custom institution with its actions and connectors, for CHANGGU_CONNECTORS.
 * @throws TypeError when a name does not match the catalog's format, or a number is out of range
 */
export function defineInstitution(institution: OwnInstitution): InstitutionModule {
  const { provider, title, linkTypes, actions } = institution;
  if (!PROVIDER.test(provider))
    throw new TypeError(`${provider} is not a valid name for a provider`);
  for (const { id } of actions) assertActionId(id, provider);
  const performed = actions.map(({ connector, ...action }) => ({
    connector,
    action: toCatalog(action, provider),
  }));
  for (const { action } of performed) assertNumbers(action);
  return {
    provider,
    site: institution.site ?? {},
    definition: {
      provider,
      title,
      linkTypes,
      kind: institution.kind ?? 'other',
      consentFeatures: institution.consentFeatures ?? [],
      actions: performed.map(({ action }) => action),
    },
    connectors: Object.fromEntries(
      performed.map(({ action, connector }) => [action.id, connector]),
    ),
  };
}

function assertActionId(id: string, provider: string): void {
  if (!ACTION.test(id) || id.includes('__') || !id.startsWith(`${provider}.`)) {
    throw new TypeError(`${id} is not a valid name for an action of ${provider}`);
  }
}

/** What the database holds, and no price below nothing. */
function assertNumbers({ id, timeoutSeconds, usageTokens }: CatalogueAction): void {
  if (!isWithin(timeoutSeconds, 1, MAX_TIMEOUT_SECONDS)) {
    throw new TypeError(`timeoutSeconds of ${id} must be 1 to ${MAX_TIMEOUT_SECONDS}`);
  }
  if (!isWithin(usageTokens, 0, MAX_USAGE_TOKENS)) {
    throw new TypeError(`usageTokens of ${id} must be 0 to ${MAX_USAGE_TOKENS}`);
  }
}

function isWithin(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most;
}

/** With the usual defaults. */
function toCatalog(action: Omit<OwnAction, 'connector'>, provider: string): CatalogueAction {
  return {
    description: action.title,
    usageTokens: 1,
    irreversible: false,
    selectsAccount: false,
    link: 'required',
    needsSession: false,
    loginAction: null,
    timeoutSeconds: 120,
    encryptedFields: {},
    publicTool: true,
    file: null,
    ownerKind: null,
    toolName: toolNameOf(action.id),
    ...action,
    provider,
    taxPortal: null,
  };
}

/** `[a-z0-9_]`, single underscores. */
function toolNameOf(id: string): string {
  return id.replaceAll(/[._]+/g, '_').slice(-TOOL_NAME_LENGTH).replace(/^_/, '');
}
