import type { Bridge } from '../../bridge.ts';
import { readVisibleJob } from '../../run/visible-job.ts';
import { answer } from '../answer.ts';
import type { Tool } from '../tool.ts';

export function jobCancel(bridge: Bridge): Tool {
  return {
    name: 'job_cancel',
    title: '작업 취소',
    description:
      'Asks the service to cancel a job. A running one ends a little later, or still succeeds. What is past its point of no return cannot be canceled.',
    inputSchema: {
      type: 'object',
      properties: { job_id: { type: 'string' } },
      required: ['job_id'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    run({ job_id }) {
      const jobId = String(job_id);
      const cancel = async () => {
        await readVisibleJob(bridge, jobId);
        const { status } = await bridge.client.jobs.cancel(jobId);
        return {
          data: { job_id: jobId, status },
          next: [{ tool: 'job_result', arguments: { job_id: jobId }, why: 'how it ended' }],
        };
      };
      return answer(bridge, cancel, { jobId });
    },
  };
}
