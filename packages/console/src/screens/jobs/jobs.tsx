import { Page } from '../../components/page.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtersInAddress, listKey } from './job-filters.ts';
import { JobList } from './job-list.tsx';
import { jobsTexts } from './jobs-texts.ts';

export function Jobs() {
  const filters = filtersInAddress();
  return (
    <Page title={jobsTexts().title}>
      <FilterBar filters={filters} />
      <JobList key={listKey(filters)} filters={filters} />
    </Page>
  );
}
