import { useEffect } from 'preact/hooks';
import { environment } from '../../app/preferences.ts';
import { place } from '../../app/router.ts';
import { Page } from '../../components/page.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersInAddress, listKey } from './job-filters.ts';
import { JobList } from './job-list.tsx';
import { jobsTexts } from './jobs-texts.ts';
import { rememberList } from './last-list.ts';

export function Jobs() {
  const filters = filtersInAddress();
  useEffect(rememberList, [place.value, environment.value]);
  return (
    <Page title={jobsTexts().title}>
      <FilterBar filters={filters} />
      <JobList key={listKey(filters)} filters={filters} />
    </Page>
  );
}
