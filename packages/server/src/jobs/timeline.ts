import type { JobTimelineResponse } from '@changgu/contract/schemas';
import { kstTime } from '../kst.ts';
import { ServiceError } from '../service-error.ts';
import type { Store } from '../store/database.ts';
import type { JobAccess } from './job-access.ts';

type TimelineKind = JobTimelineResponse['events'][number]['kind'];

/**
 * GET /v1/jobs/{job_id}/timeline (D138).
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function readTimeline(
  store: Pick<Store, 'jobs'>,
  access: JobAccess,
  jobId: string,
): Promise<JobTimelineResponse> {
  const timeline = await store.jobs.timeline({ access, jobId });
  if (timeline === null) throw new ServiceError('JOB_NOT_FOUND');
  // The acceptance is the row itself; a second write per submission would say nothing more.
  const accepted = { at: timeline.acceptedAt, kind: 'accepted' as const };
  return {
    job_id: jobId,
    events: [accepted, ...timeline.events].map((event) => ({
      at: kstTime(event.at),
      kind: event.kind as TimelineKind,
      message: 'message' in event ? event.message : null,
      duration_ms: 'durationMs' in event ? event.durationMs : null,
      upstream_status: 'upstreamStatus' in event ? event.upstreamStatus : null,
    })),
  };
}
