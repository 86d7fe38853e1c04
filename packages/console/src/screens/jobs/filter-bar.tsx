import { JOB_STATES, type JobState } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { nameOf, useInstitutions } from '../../api/institution-list.ts';
import { useResource } from '../../api/use-resource.ts';
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
        onChange={(provider) => set({ provider, action: '', link: '' })}
      />
      <SelectField
        label={words.action}
        value={filters.action}
        options={[any, ...actions.map(({ action, name }) => [action, name] as const)]}
        onChange={(action) => set({ action })}
      />
      <LinkFilter filters={filters} onChange={(link) => set({ link })} />
      <Period filters={filters} onChange={set} />
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

interface PeriodProps {
  readonly filters: JobFilters;
  readonly onChange: (change: Partial<JobFilters>) => void;
}

function Period({ filters: { from, until }, onChange }: PeriodProps) {
  const words = jobsTexts();
  return (
    <div class="period">
      <TextField
        label={words.from}
        name="from"
        type="date"
        value={from}
        onInput={(day) => onChange({ from: day })}
      />
      <TextField
        label={words.until}
        name="until"
        type="date"
        value={until}
        onInput={(day) => onChange({ until: day })}
      />
    </div>
  );
}

interface LinkFilterProps {
  readonly filters: JobFilters;
  readonly onChange: (link: string) => void;
}

/** By the names that links have; one that is not in the list is shown by its id, so that no filter is hidden. */
function LinkFilter({ filters: { link, provider }, onChange }: LinkFilterProps) {
  const institutions = useInstitutions().data?.items;
  const { data } = useResource('', (signal) => call('listAccountLinks', { signal }));
  const links = data?.items.filter((each) => provider === '' || each.provider === provider) ?? [];
  const known = links.map(({ account_link_id: id, display_label: label, provider: at }) => {
    const name = nameOf(institutions, at);
    return [id, label === null ? name : `${label} (${name})`] as const;
  });
  const unknown = link === '' || known.some(([id]) => id === link) ? [] : [[link, link] as const];
  return (
    <SelectField
      label={jobsTexts().link}
      value={link}
      options={[['', common().all], ...known, ...unknown]}
      onChange={onChange}
    />
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
