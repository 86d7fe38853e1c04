import { JOB_STATES, type JobState } from '@changgu/sdk';
import type { Bridge } from '../../bridge.ts';
import { answer } from '../answer.ts';
import { READS, type Tool } from '../tool.ts';

export function jobList(bridge: Bridge): Tool {
  return {
    name: 'job_list',
    title: '작업 목록',
    description: 'Lists jobs, newest first: also those of a call whose answer was lost.',
    inputSchema: {
      type: 'object',
      properties: {
        status: { type: 'string', enum: JOB_STATES },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        cursor: { type: 'string' },
      },
      additionalProperties: false,
    },
    annotations: READS,
    run: ({ status, limit, cursor }) =>
      answer(bridge, async () => {
        const { items, nextCursor } = await bridge.client.jobs.list({
          limit: typeof limit === 'number' ? limit : 20,
          ...(isStatus(status) ? { status: [status] } : {}),
          ...(typeof cursor === 'string' ? { cursor } : {}),
        });
        // A cursor belongs to its filters.
        const again = {
          ...(status === undefined ? {} : { status }),
          ...(limit === undefined ? {} : { limit }),
          cursor: nextCursor,
        };
        return {
          data: {
            jobs: items
              .filter(({ action }) => bridge.sees(action))
              .map((job) => ({
                job_id: job.jobId,
                service: job.action,
                status: job.status,
                submitted_at: job.submittedAt,
              })),
          },
          ...(nextCursor === null
            ? {}
            : { next: [{ tool: 'job_list', arguments: again, why: 'older jobs' }] }),
        };
      }),
  };
}

function isStatus(value: unknown): value is JobState {
  return JOB_STATES.some((state) => state === value);
}
