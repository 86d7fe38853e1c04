import { AsyncLocalStorage } from 'node:async_hooks';
import type { Middleware } from '@changgu/sdk';
import { type ServerContext, TRACEPARENT_META_KEY } from '@modelcontextprotocol/server';

/** W3C Trace Context, version 00. */
const TRACEPARENT = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

const current = new AsyncLocalStorage<string>();

/** Runs a call within the trace that its host sent along, if it did. */
export function inTraceOf<T>({ mcpReq }: ServerContext, run: () => T): T {
  const traceparent: unknown = mcpReq._meta?.[TRACEPARENT_META_KEY];
  const isTrace = typeof traceparent === 'string' && TRACEPARENT.test(traceparent);
  return isTrace ? current.run(traceparent, run) : run();
}

/** Passes the trace of the call under way on to the service. */
export const passTraceOn: Middleware = (request, next) => {
  const traceparent = current.getStore();
  if (traceparent === undefined) return next(request);
  return next({ ...request, headers: { ...request.headers, traceparent } });
};
