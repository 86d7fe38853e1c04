import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import type { Bridge } from './bridge.ts';
import { type HttpOptions, readAddress, readToken } from './http-options.ts';
import { openOAuthDoor } from './oauth/oauth-door.ts';
import { remoteFiles } from './results/saved-files.ts';
import { createServerFactory } from './server/bridge-server.ts';
import { changeBus } from './server/changes.ts';
import { createHttpExchange } from './server/http-exchange.ts';

export interface RunningHttp {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Streamable HTTP at /mcp, without sessions. Host and Origin must be of this machine, or the listening host's name:
 * a page in a browser must not reach it by another host name (DNS rebinding).
 * Its hosts may be on other machines: files are read as resources, and none is saved here.
 * @param factory what answers; the bridge's own tools unless given
 * @throws SettingError for an address or a token that cannot be used
 */
export async function serveHttp(
  bridge: Bridge,
  { listen, door }: HttpOptions,
  factory?: McpServerFactory,
): Promise<RunningHttp> {
  const { host, port } = readAddress(listen);
  const token = readToken(door);
  const remote = { ...bridge, files: remoteFiles(bridge.settings) };
  const onerror = (error: Error) => bridge.log.warn('request failed', { error: error.name });
  const exchange =
    'oauth' in door
      ? await openOAuthDoor(remote, door.oauth, onerror)
      : createHttpExchange(factory ?? createServerFactory(remote), changeBus(remote), onerror);
  const handle = toNodeHandler(exchange, { onerror });
  const names = 'oauth' in door ? [host, new URL(door.oauth.resource).hostname] : [host];
  const isKnownHost = hostHeaderValidation([...localhostAllowedHostnames(), ...names]);
  const isKnownOrigin = originValidation([...localhostAllowedOrigins(), ...names]);
  // Two lines of a header that may come once are joined, and so refused; Node would drop the second.
  const server = createServer({ joinDuplicateHeaders: true }, (request, response) => {
    if (!isKnownHost(request, response) || !isKnownOrigin(request, response)) return;
    if (token !== null && !isLetIn(request, response, token)) return;
    const { method = 'GET', url = '/' } = request;
    void handle(Object.assign(request, { method, url }), response);
  });
  const bound = await listenOn(server, host, port);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/mcp`,
    async close() {
      await exchange.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function isLetIn(request: IncomingMessage, response: ServerResponse, token: string): boolean {
  if (!isAuthorized(request, token)) refuse(response, 401, 'Unauthorized');
  else if (request.url?.split('?')[0] !== '/mcp') refuse(response, 404, 'Not found');
  // Without sessions there is no stream to open by GET, and nothing to end by DELETE.
  else if (request.method !== 'POST') refuse(response, 405, 'Method not allowed');
  else return true;
  return false;
}

/** Hashed first: equal lengths, and no time that tells how much was right. The scheme may be in any case. */
function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const sent = (headers.authorization ?? '').replace(/^bearer +/i, 'Bearer ');
  return timingSafeEqual(hash(sent), hash(`Bearer ${token}`));
}

const HINTS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  405: { allow: 'POST' },
};

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', ...HINTS[status] });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_001, message } }));
}

function listenOn(server: HttpServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
