import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * When the server closes, closes connections that never carried a request: clients open some in advance, and Node
 * does not count them as idle but waits a minute for their first request.
 */
export function closeUnusedConnections(fastify: FastifyInstance): void {
  const unused = new Set<Socket>();
  fastify.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    const used = () => unused.delete(socket);
    socket.once('close', used);
  });
  // A hook, because Node copies the list of listeners for each request where it has two.
  fastify.addHook('onRequest', ({ socket }, _reply, done) => {
    unused.delete(socket);
    done();
  });
  fastify.addHook('preClose', (done) => {
    for (const socket of unused) socket.destroy();
    done();
  });
}
