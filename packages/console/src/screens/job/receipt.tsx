import { isEndState, type JobReadResponse } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { save } from '../../app/save-file.ts';
import { ActButton } from '../../components/act-button.tsx';
import { jobTexts } from './job-texts.ts';

/** Saves the signed receipt unchanged; anyone can verify it without the service. */
export function ReceiptButton({ job }: { readonly job: JobReadResponse }) {
  // Sandbox plays unknown outcomes, but passes no point of no return.
  if (!isEndState(job.status) || job.had_effect === 'no' || job.env_scope === 'sandbox')
    return null;
  const { job_id } = job;
  return (
    <ActButton
      act={async () => {
        const receipt = await call('readReceipt', { params: { job_id } });
        const text = JSON.stringify(receipt, null, 2);
        save(`receipt_${job_id}.json`, new Blob([text], { type: 'application/json' }));
      }}
    >
      {jobTexts().receipt}
    </ActButton>
  );
}
