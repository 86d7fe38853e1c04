import { ApiError } from '../api/api-error.ts';
import { common } from '../app/common-texts.ts';
import { fieldMessage } from '../app/field-message.ts';
import { Button } from './button.tsx';
import { fieldOf, refusedFields } from './field-errors.ts';

interface Props {
  readonly error: Error;
  readonly onRetry?: () => unknown;
  /** Fields of the form, which say themselves what is wrong with them. */
  readonly said?: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

interface Told {
  readonly message: string;
  readonly advice?: string | undefined;
}

function told(error: Error, words: ReturnType<typeof common>): Told {
  if (error instanceof ApiError) {
    return { message: error.message, advice: error.facts?.next_action };
  }
  switch (error.name) {
    case 'OfflineError':
      return { message: words.offline, advice: words.offlineAdvice };
    case 'PartNotLoadedError':
      return { message: words.partMissing, advice: words.partMissingAdvice };
    case 'PasskeyCanceledError':
      return { message: words.passkeyCanceled };
    default:
      return { message: error.message || words.failed };
  }
}

/** What went wrong, what to do about it, and the id to quote when asking for help. */
export function ErrorNotice({ error, onRetry, said = NONE }: Props) {
  const words = common();
  const facts = error instanceof ApiError ? error.facts : null;
  const { message, advice } = told(error, words);
  const fields = refusedFields(error).filter((each) => fieldOf(each, said) === undefined);
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
      {fields.length === 0 ? null : (
        <ul>
          {fields.map(({ loc, msg }) => (
            <li key={loc.join('.')}>
              <code>{loc.slice(1).join('.')}</code> {fieldMessage(msg)}
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
