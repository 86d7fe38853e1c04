import { ENV_SCOPES } from '@changgu/contract';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { environment } from '../../app/preferences.ts';
import { Button } from '../../components/button.tsx';
import { jobTexts } from './job-texts.ts';

export function isJobMissing(error: Error | undefined): boolean {
  return error instanceof ApiError && error.facts?.code === 'JOB_NOT_FOUND';
}

/** A job that is not in the chosen environment may be in another one, as where its id comes from a colleague. */
export function Elsewhere({ id }: { readonly id: string }) {
  const words = jobTexts();
  const found = useResource(`${environment.value} ${id}`, (signal) => findScope(id, signal));
  const { data: scope } = found;
  if (!scope) return null;
  const name = ENVIRONMENT_NAMES()[scope];
  return (
    <div class="notice" role="status">
      <p>{words.elsewhere(name)}</p>
      <Button look="primary" onClick={() => (environment.value = scope)}>
        {words.showThere(name)}
      </Button>
    </div>
  );
}

async function findScope(id: string, signal: AbortSignal) {
  const others = ENV_SCOPES.filter((scope) => scope !== environment.peek());
  const reads = others.map(async (scope) => {
    await call('readJob', { params: { job_id: id }, headers: { 'x-env-scope': scope }, signal });
    return scope;
  });
  return Promise.any(reads).catch(() => null);
}
