import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Origin } from '../rules/principals/actor.ts';
import { addressKey } from '../rules/principals/address-key.ts';
import { ServiceError } from '../rules/service-error.ts';
import { originOf } from './origin.ts';
import {
  createRateLimiter,
  type RateLimit,
  type RateLimiter,
  type RateStatus,
  secondsToReset,
} from './rate-limit.ts';

/** Failed credentials, guesses, pages, what other sites embed, and guesses of OAuth clients: each has its own count. */
const ADDRESS_LIMIT: RateLimit = { limit: 300, windowSeconds: 60 };
const ONCE_AN_HOUR: RateLimit = { limit: 1, windowSeconds: 3_600 };

/** Counted separately, so that neither a program with a wrong key nor a page locks people on its network out. */
export function createAddressLimits(
  rateLimit: RateLimit,
  clock: Clock,
  onLimited: (origin: Origin) => Promise<void>,
) {
  const tellings = createRateLimiter(ONCE_AN_HOUR, clock);

  /** @throws ServiceError RATE_LIMITED */
  async function count(limiter: RateLimiter, request: FastifyRequest): Promise<void> {
    const status = limiter.consume(addressKey(request.ip));
    if (!status.allowed) await refuse(status, request);
  }

  /** @throws ServiceError RATE_LIMITED */
  async function refuse(status: RateStatus, request: FastifyRequest): Promise<never> {
    const address = addressKey(request.ip);
    // Without a trace in the database the refusal is still a refusal.
    if (tellings.consume(address).allowed) await onLimited(originOf(request)).catch(() => {});
    throw limited(status, clock.realNow());
  }

  const failures = createRateLimiter(ADDRESS_LIMIT, clock);
  const guesses = createRateLimiter(ADDRESS_LIMIT, clock);
  const pages = createRateLimiter(ADDRESS_LIMIT, clock);
  const embedded = createRateLimiter(ADDRESS_LIMIT, clock);
  const clientCalls = createRateLimiter(rateLimit, clock);
  const clientGuesses = createRateLimiter(ADDRESS_LIMIT, clock);
  return {
    failed: (request: FastifyRequest) => count(failures, request),
    guessed: (request: FastifyRequest) => {
      const ofPage = request.method === 'GET' ? pages : guesses;
      return count(isEmbedded(request) ? embedded : ofPage, request);
    },
    guessedClient: (request: FastifyRequest) => {
      clientGuesses.consume(addressKey(request.ip));
    },
    async calledAsClient(request: FastifyRequest) {
      const sofar = clientGuesses.consume(addressKey(request.ip), 0);
      if (sofar.remaining === 0) await refuse(sofar, request);
      await count(clientCalls, request);
    },
  };
}

/** What a page of another site loads or sends by itself, as browsers say of it: a person sees and enters nothing. */
function isEmbedded({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  const isForeign = site === 'cross-site' || site === 'same-site';
  return isForeign && headers['sec-fetch-dest'] !== 'document';
}

export function limited(status: RateStatus, now: number): ServiceError {
  return new ServiceError('RATE_LIMITED', { retryAfterSeconds: secondsToReset(status, now) });
}
