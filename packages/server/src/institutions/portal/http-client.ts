import { constants, randomBytes } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Span } from '@opentelemetry/api';
import { CookieJar } from 'tough-cookie';
import { Agent, fetch, type Response } from 'undici';
import { inSpan } from '../../tracing/spans.ts';
import type {
  InstitutionSite,
  JsonObject,
  PortalClient,
  PortalRequest,
  PortalResponse,
  PortalTls,
} from '../connector.ts';
import { InstitutionError } from '../institution-error.ts';
import { isPrivateHost, publicLookup } from './address-guard.ts';
import { decodeText, encodeForm, encodeMultipart } from './charset.ts';

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

const USER_AGENT = 'Mozilla/5.0 (compatible; Changgu/2.0)';

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
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ...ca] }),
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
        const answer = toResponse(response, url, origins, await readBody(response, limits));
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

/** Redirected outside the institution, or in a loop. */
function astray({ status }: Response): InstitutionError {
  return new InstitutionError('PROVIDER_UPSTREAM_ERROR', {
    upstreamStatus: status,
    transient: false,
  });
}

interface Sending {
  readonly agent: Agent;
  /** An empty body is null. */
  readonly cookie: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

function send(url: URL, order: PortalRequest, { agent, cookie, headers, signal }: Sending) {
  const { body, type } = bodyOf(order);
  return fetch(url, {
    method: order.method ?? 'GET',
    headers: {
      'user-agent': USER_AGENT,
      accept: '*/*',
      'accept-language': 'ko-KR,ko;q=0.9',
      ...headers,
      ...(cookie === '' ? {} : { cookie }),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...order.headers,
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
    dispatcher: agent,
    signal,
  });
}

/** The Referer that a browser would send: the full address within an origin, otherwise the origin. */
function browserHeaders(
  from: URL | null,
  to: URL,
  method = 'GET',
): Readonly<Record<string, string>> {
  const origin: Record<string, string> =
    method === 'GET' ? {} : { origin: from?.origin ?? to.origin };
  if (from === null) return origin;
  return { ...origin, referer: from.origin === to.origin ? from.href : `${from.origin}/` };
}

function openJar(cookies: JsonObject | undefined): CookieJar {
  if (cookies === undefined) return new CookieJar(null, { looseMode: true });
  return CookieJar.deserializeSync(JSON.stringify(cookies));
}

/** @throws InstitutionError for an address elsewhere: a connector may follow what a page names */
function targetOf(
  base: URL,
  origins: readonly string[],
  { path, query, charset }: PortalRequest,
): URL {
  const prefix = base.pathname.replace(/\/$/, '');
  const address = path.startsWith('/') ? `${prefix}${path}` : path;
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  if (url === null || !origins.includes(url.origin)) {
    const cause = new TypeError(`${url?.origin ?? 'the address'} is not the institution`);
    throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', { transient: false, cause });
  }
  if (query !== undefined) url.search = encodeForm(query, charset);
  return url;
}

function bodyOf({ form, multipart, json, body, charset }: PortalRequest): {
  body?: string | Uint8Array;
  type?: string;
} {
  if (body !== undefined) return { body: body.content, type: body.contentType };
  if (multipart !== undefined) {
    const boundary = `----FormBoundary${randomBytes(12).toString('hex')}`;
    const type = `multipart/form-data; boundary=${boundary}`;
    return { body: encodeMultipart(multipart, boundary, charset), type };
  }
  if (form !== undefined) {
    return { body: encodeForm(form, charset), type: 'application/x-www-form-urlencoded' };
  }
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  return {};
}

function redirectOf(response: Response, from: URL): URL | null {
  const location = response.headers.get('location');
  if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return null;
  // Headers carry bytes; a portal's Korean query in them is decoded as UTF-8.
  const text = Buffer.from(location, 'latin1').toString();
  if (!URL.canParse(text, from)) throw new InstitutionError('PROVIDER_UPSTREAM_ERROR');
  return new URL(text, from);
}

async function readBody(response: Response, { maxBytes }: HttpLimits): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  if (response.body !== null) {
    // Leaving the loop cancels the stream and closes the connection.
    for await (const piece of response.body) {
      length += piece.length;
      if (length > maxBytes) {
        throw new InstitutionError('PROVIDER_UPSTREAM_ERROR', {
          upstreamStatus: response.status,
          transient: false,
        });
      }
      pieces.push(piece);
    }
  }
  return Buffer.concat(pieces, length);
}

function toResponse(
  response: Response,
  url: URL,
  origins: readonly string[],
  bytes: Uint8Array,
): PortalResponse {
  const contentType = response.headers.get('content-type');
  return {
    status: response.status,
    url: url.href,
    contentType,
    header: (name) => response.headers.get(name),
    origins,
    bytes,
    text: () => decodeText(bytes, contentType),
  };
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
