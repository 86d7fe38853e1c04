import type { JobError as Failure } from '@changgu/contract';
import { jobTexts } from './job-texts.ts';

export function JobError({ error }: { readonly error: Failure }) {
  const words = jobTexts();
  return (
    <section class="notice error" aria-label={words.error}>
      <p>
        <strong>{error.message ?? error.code}</strong>
      </p>
      <p>{error.retryable ? words.retryable : words.notRetryable}</p>
      <p class="faint">
        <code>{error.code}</code>
        {error.upstream_status === null ? null : ` · ${words.upstream} ${error.upstream_status}`}
        {error.provider_error_ref === null
          ? null
          : ` · ${words.reference} ${error.provider_error_ref}`}
      </p>
    </section>
  );
}
