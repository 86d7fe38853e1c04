import { type InstitutionRecord, isEndState, type JobReadResponse } from '@changgu/contract';
import { nameOf } from '../../api/institution-list.ts';
import { ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { dateTime } from '../../app/format.ts';
import { Facts, Section } from '../../components/page.tsx';
import { JobStateBadge } from '../../components/state-names.tsx';
import { jobTexts } from './job-texts.ts';

interface Props {
  readonly job: JobReadResponse;
  readonly institutions: readonly InstitutionRecord[] | undefined;
}

export function JobSummary({ job, institutions }: Props) {
  const words = jobTexts();
  const progress = [job.progress === null ? '' : `${job.progress} %`, job.progress_message ?? ''];
  return (
    <Section title={words.summary}>
      <Facts
        of={[
          [words.state, <JobStateBadge key="state" state={job.status} />],
          [words.institution, nameOf(institutions, job.provider)],
          [words.action, <code key="action">{job.action}</code>],
          [words.environment, ENVIRONMENT_NAMES()[job.env_scope]],
          [words.submitted, dateTime(job.submitted_at)],
          [words.started, dateTime(job.started_at)],
          [words.finished, dateTime(job.finished_at)],
          [words.effect, words.effects[job.had_effect]],
          [words.retries, String(job.retry_count)],
          ...(isEndState(job.status) ? [] : [[words.progress, progress.join(' ')] as const]),
        ]}
      />
    </Section>
  );
}
