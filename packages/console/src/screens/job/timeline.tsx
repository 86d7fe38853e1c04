import { JOB_STATES, type JobReadResponse, type JobTimelineResponse } from '@changgu/contract';
import { jobEventText } from '@changgu/contract/job-event-texts';
import { clock, duration } from '../../app/format.ts';
import { language } from '../../app/preferences.ts';
import { Section } from '../../components/page.tsx';
import { JOB_STATE_NAMES } from '../../components/state-names.tsx';
import { jobTexts } from './job-texts.ts';

type Event = JobTimelineResponse['events'][number];

interface Props {
  readonly job: JobReadResponse;
  readonly events: readonly Event[];
}

/** How the job spent its time, as a band and as a list. */
export function Timeline({ job, events }: Props) {
  const words = jobTexts();
  return (
    <Section title={words.timeline}>
      <Band job={job} events={events} />
      <ol class="timeline">
        {events.map((event, index) => (
          <li key={index} class={toneOf(event, job)}>
            <span class="faint numeric">{clock(event.at)}</span>
            <span>
              <strong>{jobEventText(event.kind, language.value)}</strong> {messageOf(event)}
            </span>
            <span class="faint numeric">
              {event.upstream_status === null ? '' : `HTTP ${event.upstream_status} `}
              {event.duration_ms === null ? '' : duration(event.duration_ms)}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** An ending names its state, and the code of its error. */
function messageOf({ kind, message }: Event): string | null {
  const [first = '', ...rest] = message?.split(' ') ?? [];
  const state = kind === 'ended' ? JOB_STATES.find((each) => each === first) : undefined;
  return state === undefined ? message : [JOB_STATE_NAMES()[state], ...rest].join(' ');
}

function toneOf({ kind }: Event, { status }: JobReadResponse): string {
  if (kind === 'ended') return status === 'SUCCEEDED' ? 'good' : 'bad';
  return kind === 'retry' || kind === 'taken_over' || kind === 'cancel_requested' ? 'warn' : '';
}

function Band({ job, events }: Props) {
  const words = jobTexts();
  const { submitted_at: submitted, started_at: started, finished_at: finished, status } = job;
  if (started === null) return <p class="faint">{words.notStarted}</p>;
  const from = Date.parse(submitted);
  const start = Date.parse(started);
  const end = Math.max(start, finished === null ? lastOf(events, start) : Date.parse(finished));
  const parts = [start, ...stepsBetween(events, start, end), end];
  const whole = Math.max(1, end - from);
  const isBad = status === 'FAILED' || status === 'TIMEOUT';
  return (
    <>
      <div class={isBad ? 'track bad' : 'track'} aria-hidden="true">
        <span class="waiting" style={{ flexGrow: (start - from) / whole }} />
        {parts.slice(1).map((until, index) => (
          <span
            key={index}
            class="step"
            style={{ flexGrow: (until - (parts[index] ?? until)) / whole }}
          />
        ))}
      </div>
      <p class="faint">
        {words.waited(duration(start - from))} · {words.ran(duration(end - start))}
      </p>
    </>
  );
}

function lastOf(events: readonly Event[], otherwise: number): number {
  return Math.max(otherwise, ...events.map(({ at }) => Date.parse(at)));
}

function stepsBetween(events: readonly Event[], start: number, end: number): number[] {
  return events
    .filter(({ kind }) => kind === 'step' || kind === 'retry')
    .map(({ at }) => Date.parse(at))
    .filter((at) => at > start && at < end);
}
