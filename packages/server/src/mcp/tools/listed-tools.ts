import type { CatalogueAction, CatalogueInstitution } from '@changgu/contract/catalogue';
import { mayOfferTool } from '../../rules/principals/allowed-action.ts';
import type { ClientPrincipal } from '../../rules/principals/principal.ts';
import { CORE_TOOLS, toolNameOf } from './tool-names.ts';
import { type Toolset, toolsetOf } from './toolsets.ts';

type Institutions = readonly Pick<CatalogueInstitution, 'provider' | 'kind'>[];
type Toolsets = ReadonlySet<Toolset>;
type Callable = Pick<CatalogueAction, 'id' | 'provider'>;

/** Whether the key may run the action at all, by its own tool or by the one that runs any action. */
export function isOffered(key: ClientPrincipal, action: CatalogueAction): boolean {
  return action.publicTool && mayOfferTool(key, action);
}

/** Whether tools/list shows the action to this caller. tools/call takes exactly those names. */
export function isListed(
  institutions: Institutions,
  { principal, toolsets }: { readonly principal: ClientPrincipal; readonly toolsets: Toolsets },
  action: CatalogueAction,
): boolean {
  return isOffered(principal, action) && isInToolsets(institutions, toolsets, action);
}

function isInToolsets(
  institutions: Institutions,
  toolsets: Toolsets,
  { provider }: Pick<Callable, 'provider'>,
): boolean {
  const institution = institutions.find((one) => one.provider === provider);
  return institution !== undefined && toolsets.has(toolsetOf(institution));
}

/** A call that an answer suggests. */
export interface SuggestedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The call of an action as this caller can make it: by its own tool, otherwise by the one that runs any action. */
export function callOf(
  institutions: Institutions,
  { toolsets }: { readonly toolsets: Toolsets },
  action: Callable,
  params: Readonly<Record<string, unknown>>,
  reserved: Readonly<Record<string, unknown>>,
): SuggestedCall {
  if (isInToolsets(institutions, toolsets, action)) {
    return { name: toolNameOf(action.id), arguments: { ...params, ...reserved } };
  }
  const given = Object.keys(params).length === 0 ? {} : { params };
  return { name: CORE_TOOLS.run, arguments: { action: action.id, ...given, ...reserved } };
}

/** How a sentence names that call. */
export function callInWords(
  institutions: Institutions,
  caller: { readonly toolsets: Toolsets },
  actionId: string,
): string {
  const [provider = ''] = actionId.split('.');
  const { name } = callOf(institutions, caller, { id: actionId, provider }, {}, {});
  return name === CORE_TOOLS.run ? `${name}, action: ${actionId}` : name;
}
