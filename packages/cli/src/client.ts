import { Changgu, type ClientOptions } from '@changgu/sdk';
import type { Cli } from './cli.ts';
import type { EnvScopeName } from './config/settings.ts';
import type { Credentials } from './credentials/credentials.ts';
import { httpFetch } from './http-fetch.ts';
import type { Io } from './io.ts';

/** The SDK's client with everything given, so that it looks for nothing itself. */
export function createClient(
  { io, language, globals, notes, texts }: Cli,
  baseUrl: string,
  envScope: EnvScopeName,
  { clientId, clientSecret, token }: Credentials,
): Changgu {
  const tell = (text: string) => void notes.info(text);
  const debug: Pick<ClientOptions, 'middleware' | 'onRetry'> = globals.debug
    ? {
        middleware: [
          async (request, next, context) => {
            const response = await next(request);
            const { pathname } = new URL(request.url);
            tell(`${request.method} ${pathname} ${response.status} ${context.traceId}`);
            return response;
          },
        ],
        onRetry: ({ error, delayMs }) => tell(`${texts.warning}: ${error.code}, +${delayMs} ms`),
      }
    : {};
  return new Changgu({
    baseUrl,
    envScope,
    language,
    ...(clientId === undefined ? {} : { clientId, clientSecret }),
    ...(token === undefined ? {} : { token }),
    ...fetchOf(io),
    ...(io.clock ? { clock: io.clock } : {}),
    ...debug,
  });
}

/** The light fetch knows no proxies: with one in the environment the SDK brings its own. */
function fetchOf({ fetch, env }: Io): Pick<ClientOptions, 'fetch'> {
  if (fetch) return { fetch };
  const proxy = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].some(
    (name) => env[name],
  );
  return proxy ? {} : { fetch: httpFetch };
}
