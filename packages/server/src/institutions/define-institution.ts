import { hash } from 'node:crypto';
import type {
  ActionFacts,
  CatalogueAction,
  InstitutionFacts,
  JsonObjectSchema,
  Text,
} from '@changgu/contract';
import { RESERVED_PARAMS } from '@changgu/contract/catalogue';
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
const TOOL_NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const TOOL_NAME_LENGTH = 40;
/** Characters of a shortened name: the institution, which name it is, and what the action does. */
const START_LENGTH = 20;
const HASH_LENGTH = 6;
const END_LENGTH = TOOL_NAME_LENGTH - START_LENGTH - HASH_LENGTH - 2;
const MAX_TIMEOUT_SECONDS = 86_400;
const MAX_USAGE_TOKENS = 1_000_000;

/**
 * Defines a custom institution with its actions and connectors, for CHANGGU_CONNECTORS.
 * @throws TypeError when a name does not match the catalog's format or is taken, or a number is out of range
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
  for (const { action } of performed) {
    assertNumbers(action);
    assertParamNames(action);
    assertToolName(action);
  }
  assertDistinct(performed.map(({ action }) => action));
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

/** In a tool's arguments, one of the two would be lost. */
function assertParamNames({ id, params }: CatalogueAction): void {
  const taken = RESERVED_PARAMS.find((name) => Object.hasOwn(params.properties, name));
  if (taken !== undefined) {
    throw new TypeError(
      `${id} has a param ${taken}, which is an argument of every tool; rename it`,
    );
  }
}

function assertToolName({ id, toolName }: CatalogueAction): void {
  if (!TOOL_NAME.test(toolName) || toolName.length > TOOL_NAME_LENGTH) {
    throw new TypeError(`${toolName} is not a valid toolName for ${id}`);
  }
}

function assertDistinct(actions: readonly CatalogueAction[]): void {
  const ids = new Set<string>();
  const toolNames = new Set<string>();
  for (const { id, toolName } of actions) {
    if (ids.has(id)) throw new TypeError(`${id} is defined twice`);
    if (toolNames.has(toolName)) {
      throw new TypeError(`${id} has the same tool name as another action: set its toolName`);
    }
    ids.add(id);
    toolNames.add(toolName);
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

/** `[a-z0-9_]`, single underscores. One that is too long keeps its ends, and a hash tells it from those with the same. */
function toolNameOf(id: string): string {
  const words = id.replaceAll(/[._]+/g, '_').replace(/_$/, '');
  if (words.length <= TOOL_NAME_LENGTH) return words;
  // Whole words, as long as one fits.
  const start = words
    .slice(0, START_LENGTH + 1)
    .replace(/_[^_]*$/, '')
    .slice(0, START_LENGTH);
  const end = words
    .slice(-END_LENGTH - 1)
    .replace(/^[^_]*_/, '')
    .slice(-END_LENGTH);
  return `${start}_${hash('sha256', id).slice(0, HASH_LENGTH)}_${end}`;
}
