import type { FastifyRequest } from 'fastify';
import type { Origin } from '../rules/principals/actor.ts';

const MAX_USER_AGENT = 200;

/** Where a request comes from, as the audit room keeps it. */
export function originOf({ call, ip, headers }: FastifyRequest): Required<Origin> {
  const { 'user-agent': userAgent } = headers;
  return {
    traceId: call.traceId,
    address: ip,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null,
  };
}
