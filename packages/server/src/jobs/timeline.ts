import type { JobError, JobTimelineResponse } from '@changgu/contract/schemas';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import { COUNTED_AHEAD } from '../rules/jobs/progress.ts';
import { kstTime } from '../rules/kst.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { TimelineFacts } from '../store/queue/job-reads.ts';

type TimelineKind = JobTimelineResponse['events'][number]['kind'];
type TimelineEvent = TimelineFacts['events'][number];

/**
 * GET /v1/jobs/{job_id}/timeline.
 * @throws ServiceError JOB_NOT_FOUND
 */
export async function readTimeline(
  store: Pick<Store, 'jobs'>,
  access: JobAccess,
  jobId: string,
): Promise<JobTimelineResponse> {
  const timeline = await store.jobs.timeline({ access, jobId });
  if (timeline === null) throw new ServiceError('JOB_NOT_FOUND');
  return {
    job_id: jobId,
    events: timelineEvents(timeline).map((event) => ({
      at: kstTime(event.at),
      kind: event.kind as TimelineKind,
      message: event.message,
      duration_ms: event.durationMs,
      upstream_status: event.upstreamStatus,
    })),
  };
}

/**
 * Acceptance, waiting, claim and end come from the row itself; storing them again would add nothing.
 * Steps are written some time after they began, so everything is sorted here.
 */
export function timelineEvents(timeline: TimelineFacts): TimelineEvent[] {
  const { acceptedAt, startedAt, waitedBehind } = timeline;
  const known = [eventOf('accepted', acceptedAt)];
  if (waitedBehind > 0) {
    known.push({ ...eventOf('waiting', acceptedAt), message: behindText(waitedBehind) });
  }
  if (startedAt !== null) known.push(eventOf('claimed', startedAt, startedAt - acceptedAt));
  const ended = endOf(timeline);
  const events = timeline.events.map((event) =>
    event.kind === 'step' ? { ...event, at: Math.max(event.at, startedAt ?? 0) } : event,
  );
  const before = [...known, ...events].sort((a, b) => a.at - b.at);
  return ended ? [...before, ended] : before;
}

function behindText(count: number): string {
  return `앞선 작업 ${count > COUNTED_AHEAD ? `${COUNTED_AHEAD}건 이상` : `${count}건`}`;
}

function endOf({ startedAt, finishedAt, status, error }: TimelineFacts): TimelineEvent | null {
  if (finishedAt === null) return null;
  const took = startedAt === null ? null : finishedAt - startedAt;
  if (error === null) return { ...eventOf('ended', finishedAt, took), message: status };
  const { code, upstream_status: upstreamStatus }: JobError = JSON.parse(error);
  const message = `${status} ${code}`;
  return { ...eventOf('ended', finishedAt, took), message, upstreamStatus };
}

function eventOf(kind: string, at: number, durationMs: number | null = null): TimelineEvent {
  return { kind, at, durationMs, message: null, upstreamStatus: null };
}
