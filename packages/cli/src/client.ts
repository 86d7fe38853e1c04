import { Changgu, type ClientOptions, isChangguError } from '@changgu/sdk';
import { usageError } from './cli-error.ts';
import { proxyVariable } from './config/proxy-variable.ts';
import type { EnvScopeName } from './config/settings.ts';
import type { Credentials } from './credentials/credentials.ts';
import { httpFetch } from './http-fetch.ts';
import type { Io } from './io.ts';
import type { Language } from './language.ts';
import type { Notes } from './output/notes.ts';
import type { Texts } from './texts/ko.ts';

/** Of a run, what its client depends on. */
export interface ClientContext {
  readonly io: Io;
  readonly language: Language;
  readonly texts: Texts;
  readonly notes: Notes;
  readonly globals: { readonly debug?: true | undefined };
}

/**
 * The SDK's client with everything given, so that it looks for nothing itself.
 * @throws usage error for an address that secrets may not be sent to
 */
export function createClient(
  context: ClientContext,
  baseUrl: string,
  envScope: EnvScopeName,
  { clientId, clientSecret, token }: Credentials,
): Changgu {
  const { io, language, texts } = context;
  const options: ClientOptions = {
    baseUrl,
    envScope,
    language,
    // Empty, not left out: the SDK would look into the environment.
    clientId: clientId ?? '',
    clientSecret: clientSecret ?? '',
    ...(token === undefined ? {} : { token }),
    ...fetchOf(io),
    ...(io.clock ? { clock: io.clock } : {}),
    ...debugging(context),
  };
  try {
    return new Changgu(options);
  } catch (error) {
    // All else that it checks was checked before.
    const own = isChangguError(error) && error.name === 'ConfigurationError';
    throw own ? usageError(texts.config.wrongBaseUrl(baseUrl)) : error;
  }
}

/** --debug: a line for each answer and each retry. */
function debugging({
  globals,
  notes,
  texts,
}: ClientContext): Pick<ClientOptions, 'middleware' | 'onRetry'> {
  if (!globals.debug) return {};
  const tell = (text: string) => void notes.info(text);
  return {
    middleware: [
      async (request, next, { traceId }) => {
        const response = await next(request);
        const { pathname } = new URL(request.url);
        tell(`${request.method} ${pathname} ${response.status} ${traceId}`);
        return response;
      },
    ],
    onRetry: ({ error, delayMs }) => tell(`${texts.warning}: ${error.code}, +${delayMs} ms`),
  };
}

/** The light fetch knows no proxies: with one in the environment the SDK brings its own. */
function fetchOf({ fetch, env }: Io): Pick<ClientOptions, 'fetch'> {
  if (fetch) return { fetch };
  return proxyVariable(env) === null ? { fetch: httpFetch } : {};
}
