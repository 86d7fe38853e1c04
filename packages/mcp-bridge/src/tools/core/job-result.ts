import { RESULT_VIEW_PROPERTIES } from '@changgu/sdk/catalogue';
import type { Bridge } from '../../bridge.ts';
import { explainThrown } from '../../results/explain-error.ts';
import { failedEnvelope } from '../../run/job-envelope.ts';
import { readView, readWaitSeconds } from '../../run/service-call.ts';
import { handleOf } from '../../run/visible-job.ts';
import { waitForJob } from '../../run/wait-for-job.ts';
import { WAIT_SECONDS } from '../call-arguments.ts';
import { READS, type Tool } from '../tool.ts';

export function jobResult(bridge: Bridge): Tool {
  return {
    name: 'job_result',
    title: '작업 결과',
    description:
      'Waits for a job for a bounded time and gives its result, its state or why it failed. Repeat it until the job has ended; it submits nothing. Saves files of the job on this machine. Long lists come as columns and rows, page by page.',
    inputSchema: {
      type: 'object',
      properties: {
        job_id: { type: 'string' },
        wait_seconds: WAIT_SECONDS,
        ...RESULT_VIEW_PROPERTIES,
      },
      required: ['job_id'],
      additionalProperties: false,
    },
    annotations: READS,
    async run({ job_id, wait_seconds, ...view }, context) {
      try {
        const envelope = await waitForJob(bridge, handleOf(bridge, String(job_id)), {
          action: undefined,
          data: readView(view),
          waitSeconds: readWaitSeconds(wait_seconds, bridge.settings.waitCapSeconds),
          context,
        });
        return { envelope };
      } catch (error) {
        return { envelope: failedEnvelope(bridge, explainThrown(bridge, error)) };
      }
    },
  };
}
