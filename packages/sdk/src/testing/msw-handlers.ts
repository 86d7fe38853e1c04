import type { FakeService } from './fake-service.ts';

/** As much of msw's `http` as is needed; msw itself is the caller's. */
export interface MswHttp<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

/**
 * The fake as msw handlers, for tests of code that makes its own client. msw's `setupServer` does not see undici, the
 * transport of Node: use msw with its HttpRequestInterceptor, or give that client `fetch: globalThis.fetch`.
 * @example
 * const server = setupServer(...changguHandlers(service, http));
 */
export function changguHandlers<Handler>(service: FakeService, http: MswHttp<Handler>): Handler[] {
  return [http.all(`${service.baseUrl}/*`, ({ request }) => service.fetch(request))];
}
