import type { JobValidationResponse } from '@changgu/contract';
import type { RequestOptions } from '../client-options.ts';
import { withFacts } from '../errors/with-facts.ts';
import { bodyOf } from '../request/answer-body.ts';
import { untilAborted } from '../request/until-aborted.ts';
import type { HandleFacts } from './handle-facts.ts';
import type { JobValidation } from './job.ts';
import type { JobsApi } from './jobs-api.ts';
import {
  type EncryptSecrets,
  isPrepared,
  type PreparedSubmission,
  prepareSubmission,
  readPrepared,
} from './prepared.ts';
import { SentSubmissions } from './sent-submissions.ts';
import type { TokenHome } from './stored-token.ts';
import { keyOf } from './submission-key.ts';
import type { SubmitRequest } from './submit-request.ts';

/** Encrypts within the limits of a call. */
type EncryptWithin = (
  options: RequestOptions,
  ...secrets: Parameters<EncryptSecrets>
) => ReturnType<EncryptSecrets>;

/** Turns requests into submissions, once for each key, and sends them. */
export class Submissions {
  readonly #api: JobsApi;
  readonly #home: TokenHome;
  readonly #encrypt: EncryptWithin;
  readonly #sent = new SentSubmissions();

  constructor(api: JobsApi, home: TokenHome, encrypt: EncryptWithin) {
    this.#api = api;
    this.#home = home;
    this.#encrypt = encrypt;
  }

  /** See Jobs.submit. */
  async submit<A extends string>(
    request: SubmitRequest<A> | PreparedSubmission<A>,
    options: RequestOptions,
  ): Promise<HandleFacts> {
    const prepared = await this.#ready<A>(request, options);
    const isRepeatable = !isPrepared(request) && request.idempotencyKey !== undefined;
    return isRepeatable
      ? this.#api.submitAgain(prepared, options)
      : this.#api.submit(prepared, options);
  }

  /** See Jobs.submitAgain. */
  async submitAgain(prepared: PreparedSubmission, options: RequestOptions): Promise<HandleFacts> {
    readPrepared(prepared, this.#home);
    return this.#api.submitAgain(prepared, options);
  }

  /** See Jobs.prepare. */
  prepare<A extends string>(
    request: SubmitRequest<A>,
    options: RequestOptions,
  ): Promise<PreparedSubmission<A>> {
    return prepareSubmission<A>(request, this.#home, (secrets) => this.#encrypt(options, secrets));
  }

  /** See Jobs.validate. */
  async validate<A extends string>(
    request: SubmitRequest<A> | PreparedSubmission<A>,
    options: RequestOptions,
  ): Promise<JobValidation> {
    const prepared = await this.#ready<A>(request, options);
    return bodyOf<JobValidationResponse>(await this.#api.validate(prepared, options));
  }

  /** Its errors carry the key too: a caller that repeats the call with it is safe. */
  async #ready<A extends string>(
    request: SubmitRequest<A> | PreparedSubmission<A>,
    options: RequestOptions,
  ): Promise<PreparedSubmission<A>> {
    if (isPrepared<A>(request)) {
      readPrepared(request, this.#home);
      return request;
    }
    const idempotencyKey = keyOf(request.idempotencyKey);
    const keyed = { ...request, idempotencyKey };
    const prepare = () => this.prepare<A>(keyed, options);
    try {
      const work = request.secrets ? this.#sent.resolve<A>(keyed, prepare) : prepare();
      return await untilAborted(work, options.signal);
    } catch (error) {
      throw withFacts(error, { idempotencyKey, operation: 'submitJob' });
    }
  }
}
