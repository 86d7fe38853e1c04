import type { JobTimelineResponse } from '@changgu/contract/schemas';
import type { Language } from '../requests/language.ts';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import { jobErrorOf } from '../rules/jobs/job-error.ts';
import { COUNTED_AHEAD } from '../rules/jobs/progress.ts';
import { progressIn } from '../rules/jobs/progress-texts.ts';
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
  language: Language,
): Promise<JobTimelineResponse> {
  const timeline = await store.jobs.timeline({ access, jobId });
  if (timeline === null) throw new ServiceError('JOB_NOT_FOUND');
  return {
    job_id: jobId,
    events: timelineEvents(timeline, language).map((event) => ({
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
export function timelineEvents(timeline: TimelineFacts, language: Language): TimelineEvent[] {
  const { acceptedAt, startedAt, waitedBehind } = timeline;
  const known = [eventOf('accepted', acceptedAt)];
  if (waitedBehind > 0) {
    known.push({ ...eventOf('waiting', acceptedAt), message: behindText(waitedBehind, language) });
  }
  if (startedAt !== null) known.push(eventOf('claimed', startedAt, startedAt - acceptedAt));
  const ended = endOf(timeline);
  const events = inStepOrder(timeline.events).map((event) =>
    event.kind === 'step' ? stepOf(event, startedAt ?? 0, language) : event,
  );
  const before = [...known, ...events].sort((a, b) => a.at - b.at);
  return ended ? [...before, ended] : before;
}

/**
 * Steps are stored in their order, and each a little late, by the time that its own write took: so a step began no later
 * than the next one says it did.
 */
function inStepOrder(events: readonly TimelineEvent[]): TimelineEvent[] {
  let next = Number.POSITIVE_INFINITY;
  return events
    .toReversed()
    .map((event) => {
      if (event.kind !== 'step') return event;
      next = Math.min(next, event.at);
      return { ...event, at: next };
    })
    .toReversed();
}

function stepOf(event: TimelineEvent, startedAt: number, language: Language): TimelineEvent {
  const message = event.message && progressIn(language, event.message);
  return { ...event, message, at: Math.max(event.at, startedAt) };
}

function behindText(count: number, language: Language): string {
  const isMore = count > COUNTED_AHEAD;
  const shown = isMore ? COUNTED_AHEAD : count;
  if (language === 'ko') return `앞선 작업 ${shown}건${isMore ? ' 이상' : ''}`;
  return `${isMore ? `more than ${shown} jobs` : shown === 1 ? '1 job' : `${shown} jobs`} ahead`;
}

function endOf({
  startedAt,
  finishedAt,
  status,
  error: json,
}: TimelineFacts): TimelineEvent | null {
  if (finishedAt === null) return null;
  const took = startedAt === null ? null : finishedAt - startedAt;
  const error = jobErrorOf(json);
  if (error === null) return { ...eventOf('ended', finishedAt, took), message: status };
  const { code, upstream_status: upstreamStatus } = error;
  const message = `${status} ${code}`;
  return { ...eventOf('ended', finishedAt, took), message, upstreamStatus };
}

function eventOf(kind: string, at: number, durationMs: number | null = null): TimelineEvent {
  return { kind, at, durationMs, message: null, upstreamStatus: null };
}
