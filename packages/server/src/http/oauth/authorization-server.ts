import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { type OAuthAddresses, RESOURCE_METADATA, resourceMetadata } from '../../oauth/addresses.ts';
import { REQUEST_ORIGINS } from '../../oauth/request-origins.ts';
import { addressKey } from '../../rules/principals/address-key.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { HttpApp } from '../app.ts';
import { originOf } from '../origin.ts';
import type { RateLimiter } from '../rate-limit.ts';

export interface AuthorizationServerDependencies {
  readonly host: { provider(): Promise<Pick<Provider, 'callback'>> };
  readonly addresses: () => OAuthAddresses;
  /** Dynamic registrations, per address. */
  readonly registrations: RateLimiter;
}

const MOUNT = '/oauth';
const WELL_KNOWN = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
/** Unlike the others, public documents that may be cached for a while. */
const PUBLIC = { 'access-control-allow-origin': '*', 'cache-control': 'max-age=300' };

/** The library's endpoints under /oauth, and the metadata that lets clients find them. */
export function authorizationServer(
  app: HttpApp,
  { host, addresses, registrations }: AuthorizationServerDependencies,
): void {
  const entrance = { may: 'anyone', environment: 'none' } as const;

  let composed: {
    readonly of: Pick<Provider, 'callback'>;
    readonly handle: ReturnType<Provider['callback']>;
  } | null = null;

  /** The library composes all that it is made of anew at each call. */
  async function handler() {
    const provider = await host.provider();
    if (composed?.of !== provider) composed = { of: provider, handle: provider.callback() };
    return composed.handle;
  }

  async function serve(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    const handle = await handler();
    REQUEST_ORIGINS.set(request.raw, originOf(request));
    asSeenFromOutside(request, new URL(addresses().issuer), path);
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.hijack();
    await handle(request.raw, reply.raw);
  }

  app.fastify.register(async (scope) => {
    // The library reads bodies itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: `${MOUNT}/*`,
      onRequest: async (request, reply) => {
        const limitAddress = isOfClients(request) ? 'client' : true;
        await app.gate.admit(request, reply, { ...entrance, limitAddress });
        if (request.method === 'POST' && endpointOf(request) === '/reg') {
          const { allowed } = registrations.consume(addressKey(request.ip));
          if (!allowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: 3_600 });
        }
      },
      handler: async (request, reply) => {
        const ofClients = isOfClients(request);
        await serve(request, reply, request.url.slice(MOUNT.length));
        if (ofClients && reply.raw.statusCode === 401) app.gate.guessed(request);
      },
    });
    for (const document of WELL_KNOWN) {
      scope.get<{ Params: { '*': string } }>(`${document}/*`, async (request, reply) => {
        if (!endsIn(request.params['*'], MOUNT)) throw new ServiceError('RESOURCE_NOT_FOUND');
        await serve(request, reply, document);
      });
    }
  });
  app.fastify.get<{ Params: { '*': string } }>(`${RESOURCE_METADATA}/*`, async (request, reply) => {
    const documents = [...resourceMetadata(addresses())];
    const found = documents.find(([path]) => endsIn(path, `/${request.params['*']}`));
    if (found === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
    return reply.headers(PUBLIC).send(found[1]);
  });
}

/** A server below a path of its origin is called with or without that path, depending on its proxy. */
function endsIn(path: string, tail: string): boolean {
  return `/${path}`.endsWith(tail);
}

/**
 * Token, introspection and revocation: a resource server asks about every call that it gets, all from one address,
 * and must not use up what people on its network have for their logins.
 */
function isOfClients(request: FastifyRequest): boolean {
  return /^\/token(\/|$)/.test(endpointOf(request));
}

/** The library's router ignores case and one slash at the end. */
function endpointOf({ url }: FastifyRequest): string {
  const [path = ''] = url.slice(MOUNT.length).split('?', 1);
  return path.toLowerCase().replace(/\/$/, '');
}

/** The library derives addresses from the request, which can be forged, so it is given the issuer's. */
function asSeenFromOutside({ raw, ip }: FastifyRequest, issuer: URL, path: string): void {
  raw.headers.host = issuer.host;
  raw.headers['x-forwarded-host'] = issuer.host;
  raw.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1);
  raw.headers['x-forwarded-for'] = ip;
  raw.url = path;
  Object.assign(raw, { originalUrl: `${issuer.pathname}${path}` });
}
