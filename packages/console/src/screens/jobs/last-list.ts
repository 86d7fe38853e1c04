import { session } from '../../api/session.ts';
import { environment } from '../../app/preferences.ts';
import { place, type Query } from '../../app/router.ts';

let last: { readonly of: string; readonly query: Query } = { of: '', query: {} };

/** The list that is shown now, with its filters and page. */
export function rememberList(): void {
  last = { of: whose(), query: Object.fromEntries(place.value.query) };
}

/** Where a job leads back to; to all jobs where the list was of another environment or person. */
export function lastList(): Query {
  return last.of === whose() ? last.query : {};
}

function whose(): string {
  const { value: who } = session;
  return `${who?.kind === 'person' ? who.user.user_id : ''} ${environment.value}`;
}
