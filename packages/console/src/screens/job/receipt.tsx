import { isEndState, type JobReadResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { save } from '../../app/save-file.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { jobTexts } from './job-texts.ts';

/** Saves the signed receipt unchanged; anyone can verify it without the service. */
export function ReceiptButton({ job }: { readonly job: JobReadResponse }) {
  const failure = useSignal<Error | null>(null);
  if (!isEndState(job.status) || job.had_effect === 'no') return null;
  const { job_id } = job;
  return (
    <>
      <Button
        onClick={async () => {
          try {
            const receipt = await call('readReceipt', { params: { job_id } });
            const text = JSON.stringify(receipt, null, 2);
            save(`receipt_${job_id}.json`, new Blob([text], { type: 'application/json' }));
            failure.value = null;
          } catch (error) {
            failure.value = error instanceof Error ? error : new Error(String(error));
          }
        }}
      >
        {jobTexts().receipt}
      </Button>
      {failure.value === null ? null : <ErrorNotice error={failure.value} />}
    </>
  );
}
