import type { HttpHandler } from 'msw';
import type { FakeService } from './fake-service.ts';

/**
 * The fake as msw handlers, for tests of code that makes its own client. msw's `setupServer` does not see undici:
 * give that client `fetch: (...args) => globalThis.fetch(...args)`, or use msw with its HttpRequestInterceptor.
 */
export async function changguHandlers(service: FakeService): Promise<HttpHandler[]> {
  const { http } = await import('msw');
  return [http.all(`${service.baseUrl}/*`, ({ request }) => service.fetch(request))];
}
