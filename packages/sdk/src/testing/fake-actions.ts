import { nearest } from '@changgu/contract';
import { type CatalogueAction, loadCatalogue } from '@changgu/contract/catalogue';
import { invalidField } from './fake-answer.ts';
import type { FakeSubmission } from './fake-jobs.ts';

/**
 * The action of a submission; null for one of an own institution, which `willEnd` made known and which takes anything.
 * @throws FakeRefusal for an id that there is not, and for a param that is missing
 */
export async function findAction(
  { action: id, params }: Pick<FakeSubmission, 'action' | 'params'>,
  ownActions: { has(id: string): boolean },
): Promise<CatalogueAction | null> {
  const { actions } = await loadCatalogue();
  const action = actions.get(id);
  if (!action) {
    if (ownActions.has(id)) return null;
    const near = nearest(id, [...actions.keys()]);
    const meant = near === null ? '' : `; did you mean ${near}?`;
    throw invalidField(400, ['body', 'action'], 'value_error', `There is no such action${meant}`);
  }
  const missing = (action.params.required ?? []).find((name) => !(name in params));
  if (missing === undefined) return action;
  throw invalidField(422, ['body', 'params', missing], 'missing', 'Field required');
}

/** Stricter than the service, which keeps what it does not need: a secret that is not declared is a mistake in a test. */
export function checkSecretNames(
  action: CatalogueAction | null,
  { params, encryptedFields }: FakeSubmission,
): void {
  const undeclared = Object.keys(encryptedFields).find(
    // A value given twice is accepted, and fails when the job runs.
    (name) => action !== null && !(name in action.encryptedFields) && !(name in params),
  );
  if (undeclared === undefined) return;
  const loc = ['body', 'encrypted_fields', undeclared];
  throw invalidField(400, loc, 'value_error', 'The action takes no such secret');
}
