import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Catalogue, CatalogueInstitution } from '@changgu/contract/catalogue';
import type { InstitutionModule, InstitutionSite } from './connector.ts';

/** A module named by CHANGGU_CONNECTORS is unusable; the message says why. */
export class ConnectorModuleError extends Error {
  override readonly name = 'ConnectorModuleError';
}

/**
 * Loads custom institutions: from a module whose default export, or any named one, is a result of
 * `defineInstitution` or an array of such results.
 * @throws ConnectorModuleError
 */
export async function loadOwnInstitutions(path: string): Promise<readonly InstitutionModule[]> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(pathToFileURL(resolve(path)).href);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConnectorModuleError(`CHANGGU_CONNECTORS: cannot load ${path}: ${reason}`, { cause });
  }
  const found = [...new Set(Object.values(module).flat())].filter(isInstitutionModule);
  if (found.length > 0) return found;
  throw new ConnectorModuleError(
    `CHANGGU_CONNECTORS: ${path} exports no institution; export what defineInstitution returns`,
  );
}

/** The particulars of a provider's site; none for the institutions that come with the server. */
export function siteOf(own: readonly InstitutionModule[], provider: string): InstitutionSite {
  return own.find((each) => each.provider === provider)?.site ?? {};
}

/**
 * The catalog including custom institutions. One that only brings connectors replaces ours for the
 * actions that the contract defines: a team's own access to a real bank.
 * @throws ConnectorModuleError
 */
export function withOwnInstitutions(
  catalog: Catalogue,
  own: readonly InstitutionModule[],
): Catalogue {
  if (own.length === 0) return catalog;
  const institutions = [...catalog.institutions];
  for (const { provider, definition, connectors } of own) {
    const known = institutions.find((institution) => institution.provider === provider);
    if (definition !== undefined && known !== undefined) {
      throw new ConnectorModuleError(`CHANGGU_CONNECTORS: ${provider} is defined already`);
    }
    const actions = (definition ?? known)?.actions ?? [];
    const unknown = Object.keys(connectors).find((id) => !actions.some((each) => each.id === id));
    if (unknown !== undefined) {
      throw new ConnectorModuleError(`CHANGGU_CONNECTORS: nothing defines the action ${unknown}`);
    }
    if (definition === undefined) continue;
    assertFreeToolNames(institutions, definition);
    institutions.push(definition);
  }
  const actions = institutions.flatMap((institution) => institution.actions);
  return { institutions, actions: new Map(actions.map((action) => [action.id, action])) };
}

/** A model that wants one institution must not call another. */
function assertFreeToolNames(
  institutions: readonly CatalogueInstitution[],
  { actions }: CatalogueInstitution,
): void {
  const taken = institutions.flatMap((institution) => institution.actions);
  for (const { id, toolName } of actions) {
    const other = taken.find((each) => each.toolName === toolName);
    if (other === undefined) continue;
    throw new ConnectorModuleError(
      `CHANGGU_CONNECTORS: ${id} has the tool name of ${other.id}, ${toolName}; set its toolName`,
    );
  }
}

function isInstitutionModule(value: unknown): value is InstitutionModule {
  if (typeof value !== 'object' || value === null) return false;
  if (!('provider' in value) || !('connectors' in value)) return false;
  const { provider, connectors } = value;
  return typeof provider === 'string' && typeof connectors === 'object' && connectors !== null;
}
