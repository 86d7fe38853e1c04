import type { FastifyInstance } from 'fastify';

/** Even where jobs took all the time of the shutdown, answers under way get some. */
const AT_LEAST_MS = 1_000;

/** Takes no more requests and waits for the answers under way, but only so long for clients to read them. */
export async function closeInTime(fastify: FastifyInstance, ms: number): Promise<void> {
  const cut = setTimeout(() => fastify.server.closeAllConnections(), Math.max(ms, AT_LEAST_MS));
  try {
    await fastify.close();
  } finally {
    clearTimeout(cut);
  }
}
