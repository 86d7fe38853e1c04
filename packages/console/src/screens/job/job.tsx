import { isEndState, type JobReadResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { actionNameOf, useInstitutions } from '../../api/institution-list.ts';
import { JOB_EVENT_TYPES } from '../../api/job-event-types.ts';
import { may } from '../../api/may.ts';
import { useLive } from '../../api/use-live.ts';
import { useResource } from '../../api/use-resource.ts';
import { environment } from '../../app/preferences.ts';
import type { ScreenProps } from '../../app/screens.ts';
import { Button, Link } from '../../components/button.tsx';
import { LiveBadge } from '../../components/live-badge.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page } from '../../components/page.tsx';
import { CancelJobs } from '../jobs/cancel-jobs.tsx';
import { lastList } from '../jobs/last-list.ts';
import { Elsewhere, isJobMissing } from './elsewhere.tsx';
import { JobError } from './job-error.tsx';
import { JobRequest } from './job-request.tsx';
import { JobResult } from './job-result.tsx';
import { JobSummary } from './job-summary.tsx';
import { jobTexts } from './job-texts.ts';
import { ReceiptButton } from './receipt.tsx';
import { Timeline } from './timeline.tsx';

export function JobScreen({ id }: ScreenProps) {
  const institutions = useInstitutions().data?.items;
  const facts = useResource(`${environment.value} ${id}`, async (signal) => {
    const params = { job_id: id };
    const [job, timeline] = await Promise.all([
      call('readJob', { params, signal }),
      call('readJobTimeline', { params, signal }),
    ]);
    return { job, timeline };
  });
  const action = facts.data?.job.action;
  const isEnded = facts.data !== undefined && isEndState(facts.data.job.status);
  const live = useLive({
    filter: isEnded ? null : { type: JOB_EVENT_TYPES, env_scope: environment.value, job_id: id },
    refresh: facts.refresh,
  });
  return (
    <Page
      title={action === undefined ? id : actionNameOf(institutions, action)}
      about={id}
      actions={
        <>
          {isEnded || facts.data === undefined ? null : <LiveBadge state={live} />}
          {facts.data === undefined ? null : <ReceiptButton job={facts.data.job} />}
          <Actions job={facts.data?.job} onDone={facts.reload} />
        </>
      }
    >
      {isJobMissing(facts.error) ? <Elsewhere id={id} /> : null}
      <Loaded of={facts}>
        {({ job, timeline }) => (
          <>
            <JobSummary job={job} institutions={institutions} />
            {job.error === null ? null : <JobError error={job.error} />}
            <Timeline job={job} events={timeline.events} />
            <JobResult job={job} />
            <JobRequest job={job} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ActionsProps {
  readonly job: JobReadResponse | undefined;
  readonly onDone: () => void;
}

function Actions({ job, onDone }: ActionsProps) {
  const isAsking = useSignal(false);
  const words = jobTexts();
  const institutions = useInstitutions().data?.items;
  const canCancel = job !== undefined && !isEndState(job.status) && may('cancelJob');
  return (
    <>
      <Link to="jobs" query={lastList()}>
        {words.back}
      </Link>
      {canCancel ? (
        <Button look="danger" onClick={() => (isAsking.value = true)}>
          {words.cancel}
        </Button>
      ) : null}
      {canCancel && isAsking.value ? (
        <CancelJobs
          jobs={[job]}
          institutions={institutions}
          onClose={() => (isAsking.value = false)}
          onDone={onDone}
        />
      ) : null}
    </>
  );
}
