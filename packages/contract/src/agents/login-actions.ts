import type { CatalogueInstitution } from '../action.ts';

/** The actions that open a session: those that another action needs first, and those that are called a login. */
export function loginActions(
  institutions: readonly Pick<CatalogueInstitution, 'actions'>[],
): ReadonlySet<string> {
  const actions = institutions.flatMap((institution) => institution.actions);
  const needed = actions.flatMap(({ loginAction }) => loginAction ?? []);
  // No action needs the session of the employment portal, which keeps one all the same.
  const called = actions.flatMap(({ id }) => (id.endsWith('.login') ? [id] : []));
  return new Set([...needed, ...called]);
}
