import { type InstitutionRecord, isEndState, type JobReadResponse } from '@changgu/contract';
import type { Signal } from '@preact/signals';
import { actionNameOf, nameOf } from '../../api/institution-list.ts';
import { dateTime, duration } from '../../app/format.ts';
import { Link } from '../../components/button.tsx';
import { JobStateBadge } from '../../components/state-names.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { jobsTexts } from './jobs-texts.ts';

interface Props {
  readonly jobs: readonly JobReadResponse[];
  readonly institutions: readonly InstitutionRecord[] | undefined;
  /** Ids of the selected jobs; null when the person may not cancel. */
  readonly selected: Signal<ReadonlySet<string>> | null;
}

export function JobTable({ jobs, institutions, selected }: Props) {
  const words = jobsTexts();
  const columns: Column<JobReadResponse>[] = [
    ...(selected === null ? [] : [selection(jobs, selected)]),
    {
      title: words.job,
      isHeading: true,
      cell: ({ job_id: id, action }) => (
        <Link to={`jobs/${id}`}>{actionNameOf(institutions, action)}</Link>
      ),
    },
    { title: words.institution, cell: ({ provider }) => nameOf(institutions, provider) },
    { title: words.state, cell: ({ status }) => <JobStateBadge state={status} /> },
    {
      title: words.progress,
      cell: ({ status, progress, progress_message: message, error }) =>
        isEndState(status)
          ? error && <code>{error.code}</code>
          : `${progress ?? 0} % ${message ?? ''}`,
    },
    { title: words.submitted, numeric: true, cell: ({ submitted_at: at }) => dateTime(at) },
    { title: words.took, numeric: true, cell: took },
  ];
  return (
    <Table caption={words.caption} columns={columns} rows={jobs} keyOf={({ job_id: id }) => id} />
  );
}

function took({ started_at: started, finished_at: finished }: JobReadResponse): string {
  if (started === null || finished === null) return '–';
  return duration(Date.parse(finished) - Date.parse(started));
}

function selection(
  jobs: readonly JobReadResponse[],
  selected: Signal<ReadonlySet<string>>,
): Column<JobReadResponse> {
  const open = jobs.filter(({ status }) => !isEndState(status)).map(({ job_id: id }) => id);
  return {
    title: jobsTexts().choose,
    isTitleHidden: true,
    heading: (
      <input
        type="checkbox"
        aria-label={jobsTexts().chooseAll}
        disabled={open.length === 0}
        checked={open.length > 0 && open.every((id) => selected.value.has(id))}
        onChange={({ currentTarget }) => {
          selected.value = new Set(currentTarget.checked ? open : []);
        }}
      />
    ),
    cell: ({ job_id: id, status }) => (
      <input
        type="checkbox"
        aria-label={jobsTexts().select(id)}
        disabled={isEndState(status)}
        checked={selected.value.has(id)}
        onChange={({ currentTarget }) => {
          const next = new Set(selected.peek());
          if (currentTarget.checked) next.add(id);
          else next.delete(id);
          selected.value = next;
        }}
      />
    ),
  };
}
