import { JOB_STATES, type JobState } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useInstitutions } from '../../api/institution-list.ts';
import { common } from '../../app/common-texts.ts';
import { navigate } from '../../app/router.ts';
import { Button } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { JOB_STATE_NAMES } from '../../components/state-names.tsx';
import {
  filtersInAddress,
  hasFilters,
  type JobFilters,
  MAX_TEXT,
  setFilters,
} from './job-filters.ts';
import { jobsTexts } from './jobs-texts.ts';
import { SavedViews } from './saved-views.tsx';

const NONE: JobFilters = {
  status: '',
  provider: '',
  action: '',
  link: '',
  q: '',
  from: '',
  until: '',
};
const TYPING_MS = 300;
const JOB_ID = /^job_[0-9A-HJKMNP-TV-Z]{26}$/;

export function FilterBar({ filters }: { readonly filters: JobFilters }) {
  const words = jobsTexts();
  const institutions = useInstitutions().data?.items ?? [];
  const any = ['', common().all] as const;
  const clears = useSignal(0);
  const set = (change: Partial<JobFilters>) => setFilters({ ...filters, ...change });
  const actions = institutions
    .filter(({ provider }) => filters.provider === '' || provider === filters.provider)
    .flatMap((institution) => institution.actions);
  return (
    <search class="filters card">
      <TextFilter key={clears.value} searched={filters.q} />
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
      {hasFilters(filters) ? (
        <Button
          look="quiet"
          onClick={() => {
            // With it goes what was typed and not yet searched for.
            clears.value += 1;
            setFilters(NONE);
          }}
        >
          {words.clear}
        </Button>
      ) : null}
      <SavedViews filters={filters} />
    </search>
  );
}

/** Searches when the person pauses, not after every letter. A complete job id opens that job. */
function TextFilter({ searched }: { readonly searched: string }) {
  const words = jobsTexts();
  const typed = useSignal(searched);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // From a saved view or the browser's history; otherwise what is being typed stays, or a Hangul syllable would break.
  useLayoutEffect(() => {
    if (typed.peek().trim() === searched) return;
    clearTimeout(timer.current);
    typed.value = searched;
  }, [searched]);
  return (
    <TextField
      label={words.text}
      placeholder={words.textHint}
      name="q"
      type="search"
      value={typed.value}
      maxLength={MAX_TEXT}
      onInput={(text) => {
        typed.value = text;
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          const wanted = text.trim();
          if (JOB_ID.test(wanted)) navigate(`jobs/${wanted}`);
          else setFilters({ ...filtersInAddress(), q: wanted });
        }, TYPING_MS);
      }}
    />
  );
}
