import { constants } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import type { Span } from '@opentelemetry/api';
import { CookieJar } from 'tough-cookie';
import { Agent, type Response } from 'undici';
import { inSpan } from '../../../tracing/spans.ts';
import type {
  InstitutionSite,
  JsonObject,
  PortalClient,
  PortalRequest,
  PortalResponse,
  PortalTls,
} from '../../connector.ts';
import { InstitutionError } from '../../institution-error.ts';
import { isPrivateHost, publicLookup } from '../address-guard.ts';
import { readBody, redirectOf, toResponse } from './read-response.ts';
import { browserHeaders, send } from './send-request.ts';
import { targetOf } from './target.ts';

export interface HttpLimits {
  /** For one request including its redirects, until the last byte has arrived. */
  readonly timeoutMs: number;
  /** Size of a body after decompression. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

/** D141 */
export const HTTP_LIMITS: HttpLimits = {
  timeoutMs: 30_000,
  maxBytes: 20 * 1024 * 1024,
  maxRedirects: 5,
};

export interface ClientOptions {
  /** Requests outside its origin and the site's further origins are refused. */
  readonly baseUrl: string;
  readonly site?: InstitutionSite;
  /** The result of an earlier client's `cookies()`. */
  readonly cookies?: JsonObject | undefined;
  /** Aborts requests in progress with its reason. */
  readonly signal: AbortSignal;
}

/** Creates clients that share their connections. */
export interface PortalHttp {
  open(options: ClientOptions): PortalClient;
  close(): Promise<void>;
}

/** A signal that aborts after so many milliseconds. */
export type Timeout = (ms: number) => AbortSignal;

/** What tests replace. */
export interface HttpSurroundings {
  /** Measures the time of a request. */
  readonly timeout?: Timeout;
  /** Resolves the names of institutions at public addresses. */
  readonly lookup?: LookupFunction;
}

export function createPortalHttp(
  limits: HttpLimits = HTTP_LIMITS,
  { timeout = AbortSignal.timeout, lookup = publicLookup }: HttpSurroundings = {},
): PortalHttp {
  const settings = { connections: 64, headersTimeout: limits.timeoutMs, maxHeaderSize: 32 * 1024 };
  // Few: one per set of TLS options.
  const agents = new Map<string, Agent>();

  function agentFor(isPrivate: boolean, tls: PortalTls | undefined): Agent {
    const key = JSON.stringify([isPrivate, tls]);
    const connect = { ...(isPrivate ? {} : { lookup }), ...tlsSettings(tls) };
    const agent = agents.get(key) ?? new Agent({ ...settings, connect });
    agents.set(key, agent);
    return agent;
  }

  return {
    open(options) {
      const origins = originsOf(options);
      const isPrivate = isPrivateHost(new URL(options.baseUrl).hostname);
      const agent = agentFor(isPrivate, options.site?.tls);
      return createClient(options, { origins, agent, limits, timeout });
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.close()));
    },
  };
}

function tlsSettings(tls: PortalTls = {}) {
  const { legacyServerConnect = false, minVersion, ciphers, ca } = tls;
  return {
    ...(legacyServerConnect ? { secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT } : {}),
    ...(minVersion === undefined ? {} : { minVersion }),
    ...(ciphers === undefined ? {} : { ciphers }),
    ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ...ca] }),
  };
}

/**
 * All origins of the institution, the configured one first.
 * @throws TypeError for a further origin that is less secure than the configured address
 */
function originsOf({ baseUrl, site }: ClientOptions): readonly string[] {
  const base = new URL(baseUrl);
  const further = (site?.origins?.(baseUrl) ?? []).map((origin) => new URL(origin));
  for (const { protocol, hostname, origin } of further) {
    const isWorse = protocol !== base.protocol && protocol !== 'https:';
    if (isWorse || (isPrivateHost(hostname) && !isPrivateHost(base.hostname))) {
      throw new TypeError(`${origin} cannot belong to an institution at ${base.origin}`);
    }
  }
  return [base.origin, ...further.map(({ origin }) => origin)];
}

interface ClientSettings {
  readonly origins: readonly string[];
  readonly agent: Agent;
  readonly limits: HttpLimits;
  readonly timeout: Timeout;
}

function createClient(
  options: ClientOptions,
  { origins, agent, limits, timeout }: ClientSettings,
): PortalClient {
  const base = new URL(options.baseUrl);
  const jar = openJar(options.cookies);
  const siteHeaders = options.site?.headers ?? {};
  /** The page that a person would be looking at. */
  let shown: URL | null = null;

  async function request(order: PortalRequest): Promise<PortalResponse> {
    const target = targetOf(base, origins, order);
    const signal = AbortSignal.any([options.signal, timeout(limits.timeoutMs)]);
    return inRequestSpan(order.method ?? 'GET', target, async (span) => {
      try {
        return await follow(target, order, signal, span);
      } catch (error) {
        if (options.signal.aborted) throw options.signal.reason;
        throw error instanceof InstitutionError ? error : unanswered(error);
      }
    });
  }

  async function follow(
    target: URL,
    order: PortalRequest,
    signal: AbortSignal,
    span: Span,
  ): Promise<PortalResponse> {
    let url = target;
    let step = order;
    const from = shown;
    for (let hops = 0; ; hops += 1) {
      const cookie = await jar.getCookieString(url.href);
      const headers = { ...browserHeaders(from, url, step.method), ...siteHeaders };
      const response = await send(url, step, { agent, cookie, headers, signal });
      span.setAttribute('http.response.status_code', response.status);
      for (const line of response.headers.getSetCookie()) {
        await jar.setCookie(line, url.href, { ignoreError: true });
      }
      const next = redirectOf(response, url);
      if (next === null) {
        const answer = toResponse(
          response,
          url,
          origins,
          await readBody(response, limits.maxBytes),
        );
        if (/html/i.test(answer.contentType ?? 'html')) shown = url;
        return answer;
      }
      await response.body?.cancel();
      if (!origins.includes(next.origin) || hops >= limits.maxRedirects) throw astray(response);
      url = next;
      if (response.status !== 307 && response.status !== 308) step = { path: url.href };
    }
  }

  return {
    request,
    cookies: () => ({ ...jar.serializeSync() }),
  };
}

/** An empty one where a session has kept none. */
function openJar(cookies: JsonObject = {}): CookieJar {
  if (!Array.isArray(cookies.cookies)) return new CookieJar(null, { looseMode: true });
  return CookieJar.deserializeSync(JSON.stringify(cookies));
}

/** Redirected outside the institution, or in a loop. */
function astray({ status }: Response): InstitutionError {
  return new InstitutionError('PROVIDER_UPSTREAM_ERROR', {
    upstreamStatus: status,
    transient: false,
  });
}

/** Refused, reset, timed out or cut off: there is no usable response. */
function unanswered(cause: unknown): InstitutionError {
  return new InstitutionError('PROVIDER_UPSTREAM_ERROR', { cause });
}

/** Method and path only, because a query or a form may contain a secret. */
function inRequestSpan<Result>(
  method: string,
  url: URL,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const attributes = {
    'http.request.method': method,
    'server.address': url.host,
    'url.path': url.pathname,
  };
  return inSpan(`${method} ${url.pathname}`, { kind: 'client', attributes }, work);
}
