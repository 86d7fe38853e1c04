import { Changgu, type ClientOptions } from '@changgu/sdk';
import type { Cli } from './cli.ts';
import type { EnvScopeName } from './config/settings.ts';
import type { Credentials } from './credentials/credentials.ts';

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
    ...(io.fetch ? { fetch: io.fetch } : {}),
    ...(io.clock ? { clock: io.clock } : {}),
    ...debug,
  });
}
