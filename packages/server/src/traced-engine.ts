import type { RunJob } from './engine/run.ts';
import type { RunDependencies } from './engine/run-dependencies.ts';
import type { PortalClient } from './institutions/connector.ts';
import { continueTrace, inSpan } from './observability/tracing.ts';

/** Runs each job in a span that goes on with the trace of its submission. */
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

/** Each request of a connector in a span: method and path, never a query or a form. */
export function tracedPortals(
  open: RunDependencies['openResources'],
): RunDependencies['openResources'] {
  return async (order) => {
    const resources = await open(order);
    return { ...resources, openPortal: (cookies) => tracedClient(resources.openPortal(cookies)) };
  };
}

function tracedClient(client: PortalClient): PortalClient {
  return {
    ...client,
    request: (request) => {
      const method = request.method ?? 'GET';
      // A page may lead there by its full address; only the path belongs into a span.
      const path = new URL(request.path, 'http://institution').pathname;
      const attributes = { 'http.request.method': method, 'url.path': path };
      return inSpan(`${method} ${path}`, { kind: 'client', attributes }, async (span) => {
        const response = await client.request(request);
        span.setAttribute('http.response.status_code', response.status);
        return response;
      });
    },
  };
}
