import { ENV_SCOPES } from '@changgu/contract';
import { effect } from '@preact/signals';
import { session } from '../api/session.ts';
import { environment } from './preferences.ts';
import { place, replaceInQuery } from './router.ts';
import { screenFor } from './screens.ts';

const NAME = 'env';

/** The address names the environment that its screen shows: shared, reloaded or come back to, it shows the same. */
export function keepEnvironmentInAddress(): void {
  effect(() => {
    const named = place.value.query.get(NAME);
    const scope = ENV_SCOPES.find((each) => each === named);
    if (scope !== undefined && isOfEnvironment()) environment.value = scope;
  });
  effect(() => {
    const { value: scope } = environment;
    const isShown = session.value?.kind === 'person' && isOfEnvironment();
    const named = place.value.query.get(NAME);
    if (!isShown || named === scope) return;
    // A page of a list begins at a job of its own environment.
    replaceInQuery({ [NAME]: scope, ...(named === null ? {} : { cursor: null }) });
  });
}

function isOfEnvironment(): boolean {
  return screenFor(place.value.path)?.entry.isOfEnvironment === true;
}
