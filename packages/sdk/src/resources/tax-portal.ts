import type { OperationMap } from '@changgu/contract';
import type { Caller, OperationOutput } from '../caller.ts';
import type { RequestOptions } from '../client-options.ts';
import { keyOf } from '../jobs/submission-key.ts';
import { jsonText } from '../json-text.ts';
import { type Reply, reply } from '../request/reply.ts';

/** Operations that run a job behind a POST. */
export type TaxPortalOperation = {
  [O in keyof OperationMap]: OperationMap[O] extends {
    path: `/tax_portal/${string}`;
    method: 'POST';
  }
    ? O
    : never;
}[keyof OperationMap];

export interface TaxPortalOptions extends RequestOptions {
  /** @default a UUID v4, created once per call */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The service waits up to 30 s for the job before it answers 202.
 * @see docs/specification/institutions.md#d83
 */
const ATTEMPT_TIMEOUT_MS = 45_000;

/** The synchronous tax-portal family. Takes client credentials or a legacy key. */
export class TaxPortal {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Whether the tax-portal family is up. Needs a legacy key. */
  health(options?: RequestOptions): Reply<OperationOutput<'taxPortalHealth'>> {
    return this.#caller.call('taxPortalHealth', {}, options);
  }

  /** Its endpoints. */
  info(options?: RequestOptions): Reply<OperationOutput<'taxPortalInfo'>> {
    return this.#caller.call('taxPortalInfo', {}, options);
  }

  /** Who is logged in there. Runs a job without a key, so it is not retried after a lost answer. */
  userInfo(
    query: { accountLinkId?: string } = {},
    options?: RequestOptions,
  ): Reply<OperationOutput<'taxPortalUserInfo'>> {
    return this.#caller.call('taxPortalUserInfo', { query }, this.#patient(options));
  }

  /**
   * Logs in, applies for a certificate or searches: runs the job and waits for it, up to 30 s. An answer with
   * `status` instead of `success` means that the job is still running: `client.jobs.resume(answer.jobId)`.
   * @param body as on the wire
   * @throws the job's own error, as the error of the call
   * @see docs/specification/errors.md#d50
   */
  run<O extends TaxPortalOperation>(
    operation: O,
    body: OperationMap[O]['body'],
    { idempotencyKey, ...options }: TaxPortalOptions = {},
  ): Reply<OperationOutput<O>> {
    return reply(options, async (noted) => {
      const key = keyOf(idempotencyKey);
      const input = { body: jsonText(body, key), idempotencyKey: key };
      const { sender } = await this.#caller.sending();
      // Every 2xx answer of the operation.
      return (await sender.call(operation, input, this.#patient(noted))) as OperationOutput<O>;
    });
  }

  /** The client's own limit is for answers that come at once, unless it is longer. */
  #patient(options?: RequestOptions): RequestOptions {
    const { attemptTimeoutMs = 0 } = this.#caller.settings;
    const limit = Math.max(attemptTimeoutMs, ATTEMPT_TIMEOUT_MS);
    return { ...options, attemptTimeoutMs: options?.attemptTimeoutMs ?? limit };
  }
}
