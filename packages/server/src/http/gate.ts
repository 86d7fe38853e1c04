import type { EnvScope, May, OAuthScope } from '@changgu/contract';
import type { Operation } from '@changgu/contract/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Origin } from '../rules/principals/actor.ts';
import {
  type ClientPrincipal,
  hasSameRights,
  type Principal,
  principalKey,
  type Verifiers,
} from '../rules/principals/principal.ts';
import { hasRole } from '../rules/principals/roles.ts';
import { insufficientScope, ServiceError } from '../rules/service-error.ts';
import { createAddressLimits, limited } from './address-limits.ts';
import { authenticate, hasCredentials } from './authenticate.ts';
import { resolveEnvironment } from './environment-scope.ts';
import { originOf } from './origin.ts';
import {
  createRateLimiter,
  type RateLimit,
  type RateStatus,
  rateLimitLeft,
  rateLimitPolicy,
} from './rate-limit.ts';
import type { SessionCookies } from './session-cookies.ts';

/** The admitted caller and the environment. */
export interface Admission {
  readonly principal: Principal | null;
  readonly envScope: EnvScope | null;
  /** Null where the process-wide rate limit does not apply. */
  readonly rate: RateStatus | null;
}

type Rules = 'may' | 'environment' | 'scope' | 'withoutFactor' | 'orAnonymous';

export type Entrance = Pick<Operation, Rules> & {
  /**
   * Unauthenticated calls that could be used for guessing, limited per address. Of `client` calls, which programs
   * make all the time, only those count as guesses that `guessed` is told of.
   */
  readonly limitAddress?: boolean | 'client';
};

/** The checks of every operation before its body is read (steps 1 to 3 of D19). */
export interface Gate {
  /**
   * @param form what the form of a page sends as a field, where a script sends a header
   * @throws ServiceError 401, 429, 403 or 400, in this order; sets the matching headers
   */
  admit(
    request: FastifyRequest,
    reply: FastifyReply,
    entrance: Entrance,
    form?: { readonly csrfToken: string | undefined },
  ): Promise<Admission>;
  /**
   * Charges what an admitted request costs beyond one call.
   * @throws ServiceError RATE_LIMITED, and nothing is charged
   */
  charge(principal: Principal, reply: FastifyReply, cost: number): void;
  /** A `client` call had wrong credentials. */
  guessed(request: FastifyRequest): void;
  /**
   * Counts credentials that were wrong outside the operations, such as those of a scraper.
   * @throws ServiceError RATE_LIMITED for an address that had too many
   */
  failed(request: FastifyRequest): Promise<void>;
  /** Whether an admitted request would still be admitted, with the same rights; charges nothing. */
  stillAdmits(request: FastifyRequest, may: May): Promise<boolean>;
}

export interface GateOptions {
  readonly verifiers: Verifiers;
  readonly cookies: Pick<SessionCookies, 'read' | 'isSent' | 'assertOwn'>;
  /** Undefined when OAuth is off. */
  readonly challenge?: TokenChallenge | undefined;
  readonly rateLimit: RateLimit;
  readonly clock: Clock;
  /** An address had too many guesses or failed credentials: told once an hour for each. */
  readonly onLimited: (origin: Origin) => Promise<void>;
}

/** Tells a client where to get a token for the resource of a route, or one with these scopes. */
export type TokenChallenge = (route: string | undefined, scopes?: readonly OAuthScope[]) => string;

/** For whom a token of the console is the way in. */
export const BEARER_CHALLENGE = 'Bearer realm="changgu"';
const CHALLENGES = {
  client: 'Basic realm="changgu", charset="UTF-8"',
  bearer: BEARER_CHALLENGE,
  key: 'ApiKey realm="changgu", header="x-api-key"',
} as const;

export function createGate(options: GateOptions): Gate {
  const { verifiers, cookies, challenge, rateLimit, clock, onLimited } = options;
  const principals = createRateLimiter(rateLimit, clock);
  const policy = rateLimitPolicy(rateLimit);
  const addresses = createAddressLimits(rateLimit, clock, onLimited);

  function limitPrincipal(principal: Principal, reply: FastifyReply, cost = 1): RateStatus {
    const status = principals.consume(principalKey(principal), cost);
    const now = clock.realNow();
    reply.header('ratelimit-policy', policy).header('ratelimit', rateLimitLeft(status, now));
    if (!status.allowed) throw limited(status, now);
    return status;
  }

  function principalOf(request: FastifyRequest): Promise<Principal | null> {
    return authenticate(request, cookies.read(request), verifiers, originOf(request));
  }

  /** @throws ServiceError RATE_LIMITED, AUTH_INVALID_CREDENTIALS */
  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    { may, scope }: Pick<Entrance, 'may' | 'scope'>,
  ): Promise<never> {
    await addresses.failed(request);
    const forTokens = scope === undefined ? undefined : challenge?.(request.routeOptions.url);
    const challenges = challengesOf(may, forTokens);
    reply.header('www-authenticate', isOfScript(request) ? withoutDialog(challenges) : challenges);
    throw new ServiceError('AUTH_INVALID_CREDENTIALS');
  }

  return {
    charge: limitPrincipal,
    guessed: addresses.guessedClient,
    failed: addresses.failed,

    async stillAdmits(request, may) {
      if (may === 'anyone') return true;
      const { call } = request;
      const principal = await principalOf(request);
      if (principal === null || call.principal === null || lacksFactor(principal)) return false;
      return hasSameRights(principal, call.principal) && admits(may, principal);
    },

    async admit(request, reply, entrance, form) {
      const { may, environment, limitAddress: limit } = entrance;
      if (limit === 'client') await addresses.calledAsClient(request);
      else if (limit) await addresses.guessed(request);
      if (may === 'anyone' || (entrance.orAnonymous && isAnonymous(request, cookies))) {
        return { principal: null, envScope: null, rate: null };
      }
      const principal = (await principalOf(request)) ?? (await refuse(request, reply, entrance));
      request.call.principal = principal;
      request.call.challenge = challenge ?? null;
      const rate = limitPrincipal(principal, reply);
      const csrfToken = form ? form.csrfToken : request.headers['x-csrf-token'];
      cookies.assertOwn(request, principal, csrfToken);
      assertMay(principal, may, entrance);
      if (environment === 'none') return { principal, envScope: null, rate };
      const envScope = resolveEnvironment(environment, sentScopes(request), principal);
      return { principal, envScope, rate };
    },
  };
}

function isAnonymous(request: FastifyRequest, cookies: GateOptions['cookies']): boolean {
  return !cookies.isSent(request) && !hasCredentials(request.headers);
}

/** @throws ServiceError 403 */
function assertMay(
  principal: Principal,
  may: Exclude<May, 'anyone'>,
  { scope, withoutFactor }: Pick<Entrance, 'scope' | 'withoutFactor'>,
): void {
  if (!admits(may, principal)) throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  if (principal.kind === 'client') assertScope(principal, scope);
  if (!withoutFactor && lacksFactor(principal)) throw new ServiceError('AUTH_FACTOR_MISSING');
}

/** The operations that an OAuth token may call; other keys may call everything open to their kind. */
function assertScope({ scopes }: ClientPrincipal, needed: OAuthScope | undefined): void {
  if (scopes === null) return;
  if (needed === undefined) throw new ServiceError('AUTH_FORBIDDEN_PRINCIPAL');
  if (!scopes.includes(needed)) throw insufficientScope(scopes, needed);
}

/** The organization requires a second factor that this user does not have. */
function lacksFactor(principal: Principal): boolean {
  return principal.kind === 'console_user' && principal.mustAddFactor;
}

/** The only interpretation of `may`. */
function admits(may: Exclude<May, 'anyone'>, principal: Principal): boolean {
  switch (principal.kind) {
    case 'client':
      return admitsKey(may.client, principal);
    case 'console_user':
      return may.console_user !== undefined && hasRole(principal.role, may.console_user);
    case 'admin_user':
    case 'legacy_api_key':
      return may[principal.kind] === true;
  }
}

function admitsKey(keys: Exclude<May, 'anyone'>['client'], key: ClientPrincipal): boolean {
  if (keys === 'manage_webhooks') return key.manageWebhooks;
  return keys === true || (keys !== undefined && keys === key.integrationProfile);
}

function challengesOf(may: May, forTokens?: string): string[] {
  if (may === 'anyone') return [];
  return [
    ...(forTokens === undefined ? [] : [forTokens]),
    ...(may.client === undefined ? [] : [CHALLENGES.client]),
    ...(may.console_user === undefined && may.admin_user === undefined ? [] : [CHALLENGES.bearer]),
    ...(may.legacy_api_key === undefined ? [] : [CHALLENGES.key]),
  ];
}

/** Of a script in a page, as browsers say of it. */
function isOfScript({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-dest'] === 'empty';
}

/** At a challenge for a name and password, a browser asks for them itself, and the script gets no answer meanwhile. */
function withoutDialog(challenges: readonly string[]): string[] {
  const others = challenges.filter((challenge) => challenge !== CHALLENGES.client);
  return others.length > 0 ? others : [CHALLENGES.bearer];
}

function sentScopes(request: FastifyRequest) {
  const header = request.headers['x-env-scope'];
  const query: unknown = request.query;
  const inQuery =
    typeof query === 'object' && query !== null && 'env_scope' in query
      ? query.env_scope
      : undefined;
  return {
    header: typeof header === 'string' ? header : undefined,
    query: typeof inQuery === 'string' || inQuery === undefined ? inQuery : '',
  };
}
