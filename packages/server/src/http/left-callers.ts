import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Calls `left` for a request whose caller disconnects before its answer is sent: Fastify has no hook for that. */
export function watchForLeftCallers(
  fastify: FastifyInstance,
  left: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  const waiting = new WeakMap<Socket, Map<FastifyRequest, FastifyReply>>();
  fastify.server.on('connection', (socket: Socket) => {
    const requests = new Map<FastifyRequest, FastifyReply>();
    waiting.set(socket, requests);
    socket.once('close', () => {
      for (const [request, reply] of requests) left(request, reply);
    });
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    waiting.get(request.socket)?.set(request, reply);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    waiting.get(request.socket)?.delete(request);
    done();
  });
}
