import { ApiError, OfflineError } from '../api/api-error.ts';
import { common } from '../app/common-texts.ts';
import { Button } from './button.tsx';

interface Props {
  readonly error: Error;
  readonly onRetry?: () => unknown;
}

/** What went wrong, what to do about it, and the id to quote when asking for help. */
export function ErrorNotice({ error, onRetry }: Props) {
  const words = common();
  const facts = error instanceof ApiError ? error.facts : null;
  const isOffline = error instanceof OfflineError;
  const isCanceled = error.name === 'PasskeyCanceledError';
  const message = isCanceled
    ? words.passkeyCanceled
    : isOffline
      ? words.offline
      : (facts?.message ?? error.message ?? words.failed);
  const advice = isOffline ? words.offlineAdvice : facts?.next_action;
  return (
    <div class="notice error" role="alert">
      <p>
        <strong>{message}</strong>
      </p>
      {advice === undefined ? null : (
        <p>
          {words.next}: {advice}
        </p>
      )}
      {facts?.fields === undefined ? null : (
        <ul>
          {facts.fields.map(({ loc, msg }) => (
            <li key={loc.join('.')}>
              <code>{loc.slice(1).join('.')}</code> {msg}
            </li>
          ))}
        </ul>
      )}
      {facts === null ? null : (
        <p class="faint">
          <code>{facts.code}</code> · {words.trace} <code>{facts.trace_id}</code>
        </p>
      )}
      {onRetry === undefined ? null : <Button onClick={onRetry}>{words.retry}</Button>}
    </div>
  );
}
