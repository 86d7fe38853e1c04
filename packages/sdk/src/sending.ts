import type { Camel } from '@changgu/contract';
import type { CatalogueInstitution } from '@changgu/contract/catalogue';
import { platformEncryptor } from '#platform';
import { FileBytes } from './artifacts/file-bytes.ts';
import { fileSource } from './artifacts/file-source.ts';
import type { ClientSettings } from './caller.ts';
import { readOwnInstitutions } from './catalogue/own-institutions.ts';
import type { RequestOptions } from './client-options.ts';
import type { Principal } from './credentials-of-client.ts';
import type { EncryptionKeySet } from './encryption/choose-key.ts';
import { encryptFields, type Secrets } from './encryption/encrypt-fields.ts';
import {
  type EncryptedValues,
  encryptedValues,
  type SecretValues,
} from './encryption/encrypted-values.ts';
import type { Encryptor } from './encryption/encryptor.ts';
import type { FetchedKeys, KeyCache } from './encryption/key-cache.ts';
import { type EventStreamQuery, followEvents, type StreamOptions } from './events/follow-events.ts';
import { JobChanges } from './events/job-changes.ts';
import type { AllAccountsCheckpoint } from './jobs/all-accounts/checkpoint.ts';
import { AllAccountsDriver, type AllAccountsStart } from './jobs/all-accounts/driver.ts';
import {
  type AllAccountsRound,
  type RoundsOptions,
  sendRounds,
} from './jobs/all-accounts/rounds.ts';
import type { HandleFacts } from './jobs/handle-facts.ts';
import { JobWatch } from './jobs/job-watch.ts';
import { JobsApi } from './jobs/jobs-api.ts';
import type { EncryptSecrets } from './jobs/prepared.ts';
import type { ResumeToken } from './jobs/resume-token.ts';
import { Submissions } from './jobs/submissions.ts';
import { Sender } from './operations/sender.ts';
import { bodyOf } from './request/answer-body.ts';
import type { Core } from './request/core.ts';
import type { Downloadable, DownloadOptions } from './resources/artifacts.ts';
import type { SharedParts } from './shared-parts.ts';

/** What one client makes its calls with. */
export class Sending {
  readonly sender: Sender;
  readonly api: JobsApi;
  readonly submissions: Submissions;
  readonly #changes: JobChanges;
  readonly #keysOf: (authority: Principal) => KeyCache;
  #encryptor: Encryptor | undefined;

  constructor(client: ClientSettings, shared: SharedParts) {
    const { clock, settings } = client;
    this.sender = new Sender(coreOf(client, shared), client);
    this.#keysOf = (authority) => shared.keysOf(client, authority);
    this.#encryptor = settings.encryptor;
    this.#changes = new JobChanges(clock);
    this.api = new JobsApi(this.sender, () => this.#keysOf('client').invalidate());
    this.submissions = new Submissions(this.api, client, (options, secrets) =>
      this.#encrypt('client', options, secrets),
    );
  }

  /** Encrypts what a call sends as the person. The rest of the call has the time that is left of it. */
  async encryptedValues<Name extends string>(
    options: RequestOptions,
    secrets?: SecretValues<Name>,
    encrypted?: EncryptedValues<Name>,
  ): Promise<{ values: Partial<Record<Name, string>>; left: RequestOptions }> {
    const left = this.sender.timed(options);
    const encrypt: EncryptSecrets = (plain) => this.#encrypt('console', left, plain);
    return { values: await encryptedValues(encrypt, secrets, encrypted), left };
  }

  /** What a handle reads its job with. */
  watch(job: HandleFacts, token: () => ResumeToken): JobWatch {
    return new JobWatch(this.api, job, token, this.#changes);
  }

  allAccounts<A extends string>(start: AllAccountsStart<A>): AllAccountsDriver<A> {
    return new AllAccountsDriver<A>(this.api, start);
  }

  allAccountsRounds(
    start: AllAccountsCheckpoint,
    options: RoundsOptions,
    left: AbortSignal,
  ): AsyncGenerator<AllAccountsRound, void, void> {
    return sendRounds(this.api, start, options, left);
  }

  /** See Events.stream. */
  stream(
    query: EventStreamQuery,
    options: StreamOptions,
    left: AbortSignal,
  ): AsyncGenerator<Camel.EventRecord, void, void> {
    return followEvents(this.sender, this.#changes, query, options, left);
  }

  /** The bytes of a file, of which the result of its job has a fresh URL. */
  file(artifact: Downloadable, options: DownloadOptions): FileBytes {
    const source = fileSource(this.api, artifact, options);
    return new FileBytes(this.sender.core, source, this.sender.limits(options), options.signal);
  }

  ownInstitutions(options: RequestOptions): Promise<readonly CatalogueInstitution[]> {
    return readOwnInstitutions(this.sender, options);
  }

  /**
   * Encrypts for the organization of those who will send the values, within the limits of their call. The default
   * backend is chosen here, because choosing it loads a crypto module.
   */
  async #encrypt(as: Principal, options: RequestOptions, secrets: Secrets) {
    this.#encryptor ??= platformEncryptor();
    const fetchKeys = (signal: AbortSignal) => this.#fetchKeys(as, signal);
    const key = await this.sender.within({ operation: 'readEncryptionKeys' }, options, (signal) =>
      this.#keysOf(as).current(fetchKeys, signal),
    );
    return encryptFields(this.#encryptor, key, secrets);
  }

  async #fetchKeys(as: Principal, signal: AbortSignal): Promise<FetchedKeys> {
    const answer = await this.sender.send('readEncryptionKeys', { as }, { signal });
    const keys = bodyOf<EncryptionKeySet>(answer, { keys: Array.isArray });
    return { keys, headers: answer.headers };
  }
}

function coreOf(
  { clock, logger, settings }: ClientSettings,
  { transport, budget, waitSlots }: SharedParts,
): Core {
  const { random = Math.random, middleware = [], tracer, onRetry } = settings;
  return { transport, budget, waitSlots, clock, random, middleware, logger, tracer, onRetry };
}
