import { isEndState, type JobReadResponse, type JobResultResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { JobFiles } from './job-files.tsx';
import { jobTexts } from './job-texts.ts';
import { ResultData } from './result-data.tsx';

/** Read only on request, because it is personal financial data. */
export function JobResult({ job }: { readonly job: JobReadResponse }) {
  const words = jobTexts();
  const answer = useSignal<JobResultResponse | null>(null);
  const failure = useSignal<Error | null>(null);
  const isBusy = useSignal(false);
  const shown = useRef<HTMLDivElement>(null);
  const isShown = answer.value !== null;
  // The button is gone: who pressed it continues where the result begins.
  useEffect(() => {
    if (isShown) shown.current?.focus({ preventScroll: true });
  }, [isShown]);
  async function read() {
    failure.value = null;
    isBusy.value = true;
    try {
      answer.value = await call('readJobResult', { params: { job_id: job.job_id } });
    } catch (error) {
      failure.value = error instanceof Error ? error : new Error(String(error));
    } finally {
      isBusy.value = false;
    }
  }
  if (job.status !== 'SUCCEEDED') {
    // The error says why there will be none.
    if (isEndState(job.status)) return null;
    return (
      <Section title={words.result}>
        <p class="faint">{words.resultLater}</p>
      </Section>
    );
  }
  const { result } = answer.value ?? {};
  return (
    <>
      <Section title={words.result}>
        {failure.value === null ? null : <ErrorNotice error={failure.value} onRetry={read} />}
        {result === undefined ? (
          <div class="row">
            <Button look="primary" busy={isBusy.value} onClick={read}>
              {words.showResult}
            </Button>
            <span class="faint">{words.resultHint}</span>
          </div>
        ) : (
          <div ref={shown} tabIndex={-1} class="stack">
            <ResultData name={`${job.action} ${job.job_id}`} data={result.data ?? null} />
          </div>
        )}
      </Section>
      {result === undefined ? null : (
        <JobFiles jobId={job.job_id} files={result.artifacts} onDeleted={read} />
      )}
    </>
  );
}
