import { Link } from '../../components/button.tsx';
import type { JobFilters } from './job-filters.ts';
import { jobsTexts } from './jobs-texts.ts';

interface Props {
  readonly filters: JobFilters;
  readonly isFirst: boolean;
  /** The cursor of older jobs. */
  readonly next: string | null;
}

/** Pages are addresses: the browser's "back" leads to the newer one. */
export function Pager({ filters, isFirst, next }: Props) {
  const words = jobsTexts();
  if (isFirst && next === null) return null;
  return (
    <div class="pager">
      {isFirst ? null : (
        <Link to="jobs" query={{ ...filters }} class="button plain">
          {words.newest}
        </Link>
      )}
      {next === null ? null : (
        <Link to="jobs" query={{ ...filters, cursor: next }} class="button plain">
          {words.older}
        </Link>
      )}
    </div>
  );
}
