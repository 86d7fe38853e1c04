import type { FastifyRequest } from 'fastify';

/** What the jobs of a request are asked to play in sandbox; null for nothing. */
export function sandboxOutcomeOf(headers: FastifyRequest['headers']): string | null {
  const outcome = headers['x-sandbox-outcome'];
  return typeof outcome === 'string' ? outcome : null;
}
