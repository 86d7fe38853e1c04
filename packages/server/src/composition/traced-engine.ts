import type { RunJob } from '../engine/run.ts';
import { continueTrace, inSpan } from '../tracing/spans.ts';

/** Runs each job in a span that continues the trace of its submission. */
export function traced(run: RunJob): RunJob {
  return (job, control) =>
    inSpan(
      `run ${job.action}`,
      {
        kind: 'consumer',
        attributes: {
          'changgu.job_id': job.id,
          'changgu.provider': job.provider,
          'changgu.env_scope': job.envScope,
        },
        parent: continueTrace({ traceparent: job.traceContext ?? undefined }),
      },
      () => run(job, control),
    );
}
