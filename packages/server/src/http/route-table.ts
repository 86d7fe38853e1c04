import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../rules/service-error.ts';

/** The methods of each path, to tell an unknown path (404) from an unknown method (405 with Allow). */
export interface RouteTable {
  /** `url` in Fastify's form, `/v1/jobs/:job_id` or `/console/*`. HEAD comes with GET unless said otherwise. */
  add(method: string, url: string, options?: { readonly head: boolean }): void;
  /** The methods of the path, or null for an unknown path. */
  methodsOf(path: string): readonly string[] | null;
}

export function createRouteTable(): RouteTable {
  const table = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  return {
    add(method, url, { head } = { head: true }) {
      const known = table.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      table.set(url, known);
      known.methods.add(method);
      if (method === 'GET' && head) known.methods.add('HEAD');
    },
    methodsOf(path) {
      const matches = [...table.values()].filter(({ pattern }) => pattern.test(path));
      return matches.length === 0 ? null : matches.flatMap(({ methods }) => [...methods]);
    },
  };
}

function patternOf(url: string): RegExp {
  const steps = url.split('/').map((step) => {
    if (step === '*') return '.*';
    return step.startsWith(':') ? '[^/]+' : step.replaceAll('.', '\\.');
  });
  return new RegExp(`^${steps.join('/')}$`);
}

/** The error for a request that matches no route. */
export function unknownRoute(
  routes: RouteTable,
  request: FastifyRequest,
  reply: FastifyReply,
): ServiceError {
  const methods = routes.methodsOf(request.url.split('?', 1)[0] ?? '');
  if (methods === null) return new ServiceError('RESOURCE_NOT_FOUND');
  reply.header('allow', [...new Set(methods)].join(', '));
  return new ServiceError('METHOD_NOT_ALLOWED');
}
