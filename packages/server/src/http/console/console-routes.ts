import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../rules/service-error.ts';
import type { HttpApp } from '../app.ts';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';
import { CONSOLE_HEADERS, pageFor } from './console-page.ts';
import { type SignInOnce, signInOnceRoute } from './sign-in-once.ts';

const FOLDER = '/console';

/** The web console: one page for every address below the folder, and the files that it loads. */
export function consoleRoutes(app: HttpApp, signInOnce: SignInOnce | null): void {
  let loading: Promise<ConsoleFiles> | undefined;
  async function files(): Promise<ConsoleFiles> {
    loading ??= import('./console-files.ts').then(({ loadConsole }) => loadConsole());
    try {
      return await loading;
    } catch (failure) {
      // The next request tries again: in a checkout, the build may have been fixed.
      loading = undefined;
      throw failure;
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const { page, assets } = await files();
    const path = (request.url.split('?', 1)[0] ?? '').slice(FOLDER.length);
    reply.headers(CONSOLE_HEADERS);
    if (path.startsWith('/assets/')) return sendAsset(request, reply, assets.get(path.slice(1)));
    return reply.type('text/html; charset=utf-8').send(pageFor(page, path));
  }

  if (signInOnce) signInOnceRoute(app, FOLDER, signInOnce);
  for (const url of [FOLDER, `${FOLDER}/*`]) {
    app.routes.add('GET', url);
    app.fastify.get(url, answer);
  }
}

/** File names change with their content, so a browser fetches each only once. */
function sendAsset(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile | undefined) {
  if (file === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
  reply
    .type(file.type)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('vary', 'accept-encoding');
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!takesGzip) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.zipped);
}
