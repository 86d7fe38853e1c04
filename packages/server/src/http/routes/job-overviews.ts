import { operations } from '@changgu/contract/schemas';
import { listLines, listRuns, readJobRequest, summarizeJobs } from '../../jobs/overviews.ts';
import { jobAccess } from '../../requests/access.ts';
import type { Store } from '../../store/database.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

/** Views of jobs for people: their requests, statistics, and all-accounts calls. */
export function jobOverviewRoutes(app: HttpApp, { store }: { readonly store: Store }): void {
  const { jobOverviews } = operations;
  route(app, jobOverviews.readJobRequest, async ({ principal, envScope, params }) => ({
    status: 200,
    body: await readJobRequest(store, jobAccess(principal, envScope), params.job_id),
  }));
  route(app, jobOverviews.summarizeJobs, async ({ principal, envScope, query }) => ({
    status: 200,
    body: await summarizeJobs(store, jobAccess(principal, envScope), query),
  }));
  route(app, jobOverviews.listAllAccountsRuns, async ({ principal, envScope, query }) => ({
    status: 200,
    body: await listRuns(store, jobAccess(principal, envScope), query),
  }));
  route(app, jobOverviews.listAllAccountsLines, async ({ principal, envScope, query }) => ({
    status: 200,
    body: await listLines(store, jobAccess(principal, envScope), query),
  }));
}
