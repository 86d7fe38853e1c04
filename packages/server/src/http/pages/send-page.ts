import type { FastifyReply } from 'fastify';

/** Sends a page of the server's own, which may not be framed. */
export function sendPage(reply: FastifyReply, page: string, policy: string): FastifyReply {
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', policy)
      // With no-referrer, a browser would hide the Origin of our own forms from us.
      .header('referrer-policy', 'same-origin')
      .header('x-frame-options', 'DENY')
      .send(page)
  );
}
