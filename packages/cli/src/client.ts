import {
  Changgu,
  type ClientOptions,
  type EnvScope,
  type HttpResponse,
  isChangguError,
  type Middleware,
  TimeoutError,
} from '@changgu/sdk';
import { usageError } from './cli-error.ts';
import { proxyVariable } from './config/proxy-variable.ts';
import type { Credentials } from './credentials/credentials.ts';
import { httpFetch } from './http-fetch.ts';
import type { Io } from './io.ts';
import type { Language } from './language.ts';
import type { Notes } from './output/notes.ts';
import { processClock } from './process-clock.ts';
import type { Texts } from './texts/ko.ts';
import { blankEncryptor, type WriteGate } from './write-gate.ts';

/** The parts of a run that its client depends on. */
export interface ClientContext {
  readonly io: Io;
  readonly language: Language;
  readonly texts: Texts;
  readonly notes: Notes;
  readonly debug: boolean;
  readonly gate: WriteGate;
  /** Called with every answer. */
  readonly onAnswer?: ((answer: HttpResponse) => void) | undefined;
  /** Called with every attempt: whether the service answered it. */
  readonly onContact?: ((answers: boolean) => void) | undefined;
}

/**
 * The SDK's client with every option set, so that it reads nothing from the environment.
 * @throws usage error for an address to which secrets must not be sent
 */
export function createClient(
  context: ClientContext,
  baseUrl: string,
  envScope: EnvScope,
  { clientId, clientSecret, token }: Credentials,
): Changgu {
  const { io, language, texts, gate } = context;
  const options: ClientOptions = {
    baseUrl,
    envScope,
    language,
    // Empty instead of absent: the SDK would otherwise read the environment.
    clientId: clientId ?? '',
    clientSecret: clientSecret ?? '',
    ...(token === undefined ? {} : { token }),
    ...fetchOf(io, texts),
    clock: io.clock ?? processClock,
    logLevel: logLevelOf(io),
    ...(gate.dryRun ? { encryptor: blankEncryptor } : {}),
    ...watch(context),
  };
  try {
    return new Changgu(options);
  } catch (error) {
    // Everything else that it checks was checked before.
    const own = isChangguError(error) && error.name === 'ConfigurationError';
    throw own ? usageError(wrongBaseUrl(baseUrl, texts)) : error;
  }
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const;

/** The variable also belongs to other programs, so what the SDK does not know in it stops no command. */
function logLevelOf({ env }: Io): ClientOptions['logLevel'] {
  return LOG_LEVELS.find((level) => level === env.CHANGGU_LOG) ?? 'off';
}

/** Why it is no address of a service, without what may be a password in it. */
function wrongBaseUrl(baseUrl: string, { config }: Texts): string {
  const url = URL.parse(baseUrl);
  const isWhole = url !== null && (url.username || url.password || url.search || url.hash);
  if (!isWhole) return config.wrongBaseUrl(baseUrl);
  return config.baseUrlParts(`${url.protocol}//${url.host}${url.pathname}`);
}

/** Every request passes the gate; with --debug, each answer and each retry is logged. */
function watch(context: ClientContext): Pick<ClientOptions, 'middleware' | 'onRetry'> {
  const { debug, gate, notes, texts } = context;
  const hear: Middleware = async (request, next) => {
    const answer = await next(request).catch((error: unknown) => {
      // One that the caller gave up says nothing about the service.
      const isSilent = error instanceof TimeoutError && error.clock !== 'total';
      if (isSilent || !request.signal.aborted) context.onContact?.(false);
      throw error;
    });
    // A proxy in front of it answers for a service that is away.
    context.onContact?.(answer.status < 500);
    context.onAnswer?.(answer);
    return answer;
  };
  if (!debug) return { middleware: [gate.middleware, hear] };
  const tell = (text: string) => void notes.info(text);
  const trace: Middleware = async (request, next, { traceId }) => {
    const response = await next(request);
    const { pathname } = new URL(request.url);
    tell(`${request.method} ${pathname} ${response.status} ${traceId}`);
    return response;
  };
  return {
    middleware: [gate.middleware, hear, trace],
    onRetry: ({ error, delayMs }) => tell(`${texts.warning}: ${error.code}, +${delayMs} ms`),
  };
}

/**
 * The light fetch supports no proxies, so with one in the environment the SDK uses its own.
 * @throws usage error for an address that is none, as `proxy:8080`
 */
function fetchOf({ fetch, env }: Io, { config }: Texts): Pick<ClientOptions, 'fetch'> {
  if (fetch) return { fetch };
  const variable = proxyVariable(env);
  if (variable === null) return { fetch: httpFetch };
  // Named without its value, which may hold a password.
  if (!isProxy(env[variable] ?? '')) throw usageError(config.wrongProxy(variable));
  return {};
}

function isProxy(address: string): boolean {
  return /^(https?|socks5?):$/.test(URL.parse(address)?.protocol ?? '');
}
