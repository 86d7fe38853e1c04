import { JOB_STATES, type JobState } from '@changgu/contract';
import { common } from '../../app/common-texts.ts';
import { navigate } from '../../app/router.ts';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { JOB_STATE_NAMES } from '../../components/state-names.tsx';
import { useInstitutions } from '../shared/institutions.ts';
import { hasFilters, type JobFilters, setFilters } from './job-filters.ts';
import { jobsTexts } from './jobs-texts.ts';

const NONE: JobFilters = { status: '', provider: '', action: '', link: '', from: '', until: '' };

export function FilterBar({ filters }: { readonly filters: JobFilters }) {
  const words = jobsTexts();
  const institutions = useInstitutions().data?.items ?? [];
  const any = ['', common().all] as const;
  const set = (change: Partial<JobFilters>) => setFilters({ ...filters, ...change });
  const actions = institutions
    .filter(({ provider }) => filters.provider === '' || provider === filters.provider)
    .flatMap((institution) => institution.actions);
  return (
    <search class="filters card">
      <SelectField
        label={words.state}
        value={filters.status}
        options={[any, ...JOB_STATES.map((state) => [state, JOB_STATE_NAMES()[state]] as const)]}
        // The options are the states.
        onChange={(status) => set({ status: status as JobState | '' })}
      />
      <SelectField
        label={words.institution}
        value={filters.provider}
        options={[any, ...institutions.map(({ provider, name }) => [provider, name] as const)]}
        onChange={(provider) => set({ provider, action: '' })}
      />
      <SelectField
        label={words.action}
        value={filters.action}
        options={[any, ...actions.map(({ action, name }) => [action, name] as const)]}
        onChange={(action) => set({ action })}
      />
      <TextField
        label={words.from}
        name="from"
        type="date"
        value={filters.from}
        onInput={(from) => set({ from })}
      />
      <TextField
        label={words.until}
        name="until"
        type="date"
        value={filters.until}
        onInput={(until) => set({ until })}
      />
      <OpenById />
      {hasFilters(filters) ? (
        <Button look="quiet" onClick={() => setFilters(NONE)}>
          {words.clear}
        </Button>
      ) : null}
    </search>
  );
}

/** Ids come from logs and messages: whoever has one wants that job. */
function OpenById() {
  const words = jobsTexts();
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        const id = new FormData(event.currentTarget).get('job');
        if (typeof id === 'string') navigate(`jobs/${encodeURIComponent(id.trim())}`);
      }}
    >
      <TextField label={words.jobId} name="job" type="search" required placeholder="job_…" />
      <Button type="submit">{words.open}</Button>
    </form>
  );
}
