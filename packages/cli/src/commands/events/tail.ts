import type { EnvScope, EventStreamQuery, ServiceEvent } from '@changgu/sdk';
import { reads } from '../../command.ts';
import { checkLink } from '../../input/check-link.ts';
import { checkJobId } from '../../input/job-id.ts';
import { koreanTime } from '../../korean-time.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';
import { WriteQueue } from '../../output/write-queue.ts';
import { withinTimeout } from '../../time-limit.ts';
import { Connection } from './connection.ts';
import { stoppedReading } from './stopped-reading.ts';

export interface TailOptions {
  readonly type?: string[] | undefined;
  readonly env?: EnvScope | undefined;
  readonly job?: string | undefined;
  readonly link?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** The id of the last event already seen. */
  readonly after?: string | undefined;
}

const EVENT: Shape = {
  fields: fieldsOf<ServiceEvent>()([
    'event_id',
    'type',
    'env_scope',
    'occurred_at',
    'subject',
    'data',
  ]),
  columns: ['occurred_at', 'type', 'subject', 'data', 'event_id'],
  id: 'event_id',
};

/** Called before every event. */
const BEGINNING = `evt_${'0'.repeat(26)}`;

/** Writes each event as it happens, one per line, until it is stopped. */
export const tail = reads<[options: TailOptions]>(EVENT, async (cli, { since, ...options }) => {
  if (options.job !== undefined) checkJobId(cli, options.job);
  const client = await cli.client('any');
  if (options.link !== undefined) await checkLink(cli, client, options.link);
  let last: string | null = null;
  // Until one is shown, what comes next may be too old.
  let isOlder = since !== undefined;
  const queue = new WriteQueue();
  const connection = new Connection(cli, queue);
  const onPlace = (eventId: string) => {
    connection.onPlace(eventId);
    last = eventId;
  };
  const { onInterruption } = connection;
  try {
    await withinTimeout(cli, async (signal) => {
      const streamed = { signal, onPlace, onInterruption };
      for await (const event of client.events.stream(queryOf(options, since), streamed)) {
        await queue.written();
        const isBefore = since !== undefined && Date.parse(event.occurredAt) < since;
        if (!isBefore) await cli.output.change(event, EVENT);
        // Only now: one that could not be written has to come again.
        last = event.eventId;
        isOlder &&= isBefore;
      }
    });
  } catch (error) {
    if (last === null) throw error;
    const options = [
      ...(isOlder && since !== undefined ? ['--since', koreanTime(since)] : []),
      ...(last === BEGINNING ? [] : ['--after', last]),
    ];
    throw stoppedReading(cli, error, cli.again(options, ['--after', '--since']));
  }
  return undefined;
});

function queryOf(
  { type, env, job, link, after }: Omit<TailOptions, 'since'>,
  since: number | undefined,
): EventStreamQuery {
  const place = after ?? (since === undefined ? undefined : BEGINNING);
  return {
    // The service refuses an unknown type and names the known ones.
    ...(type === undefined ? {} : { type: type as NonNullable<EventStreamQuery['type']> }),
    ...(env === undefined ? {} : { envScope: env }),
    ...(job === undefined ? {} : { jobId: job }),
    ...(link === undefined ? {} : { accountLinkId: link }),
    ...(place === undefined ? {} : { after: place }),
  };
}
