import type { InstitutionRecord, JobReadResponse } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { actionNameOf } from '../../api/institution-list.ts';
import { Confirm } from '../../components/dialog.tsx';
import { jobsTexts } from './jobs-texts.ts';

interface Props {
  readonly jobs: readonly JobReadResponse[];
  readonly institutions: readonly InstitutionRecord[] | undefined;
  readonly onClose: () => void;
  readonly onDone: (done: number, failed: number) => void;
}

export function CancelJobs({ jobs, institutions, onClose, onDone }: Props) {
  const words = jobsTexts();
  return (
    <Confirm
      title={words.cancelTitle}
      confirmLabel={words.cancelDo}
      onClose={onClose}
      consequences={
        <>
          <p>{words.cancelWhat(jobs.length)}</p>
          <ul>
            {jobs.map(({ job_id: id, action }) => (
              <li key={id}>
                {actionNameOf(institutions, action)} <code>{id}</code>
              </li>
            ))}
          </ul>
          {words.cancelThen.map((sentence) => (
            <p key={sentence} class="faint">
              {sentence}
            </p>
          ))}
        </>
      }
      onConfirm={async () => {
        // A job that has ended in the meantime is refused; the others are still canceled.
        const answers = await Promise.allSettled(
          jobs.map(({ job_id }) => call('cancelJob', { params: { job_id } })),
        );
        const refused = answers.filter((answer) => answer.status === 'rejected');
        const [first] = refused;
        if (first !== undefined && refused.length === answers.length) throw first.reason;
        onDone(answers.length - refused.length, refused.length);
      }}
    />
  );
}
