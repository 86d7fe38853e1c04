import { ENV_SCOPES, type EnvScope, LIMITS } from '@changgu/contract';
import type { ActionId, ActionParams, SpelledAction } from '../jobs/action-types.ts';
import { submitAllAccounts } from './fake-all-accounts.ts';
import {
  type FakeAnswer,
  FakeRefusal,
  type FakeRequest,
  inEnglish,
  invalidField,
  kstTime,
} from './fake-answer.ts';
import type { FakeJob, Fate, FateOf } from './fake-jobs.ts';
import { FakeResults } from './fake-results.ts';
import { type FakeBankAccount, FakeState } from './fake-state.ts';
import { submitJob } from './fake-submissions.ts';
import { FaultScript } from './fault-script.ts';
import { answerWithFault } from './faulty-answer.ts';
import { RealClock } from './real-clock.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface FakeServiceOptions {
  /** @default https://changgu.test */
  readonly baseUrl?: string;
  /** @default a new one that starts at 2026-11-21 09:00 KST */
  readonly clock?: VirtualClock;
  /**
   * Uses the time of the process, or of the test runner's fake timers, in place of `clock`.
   * @default false
   */
  readonly realTime?: boolean;
  /** Does it answer `Prefer: wait`? @default true */
  readonly longPolling?: boolean;
}

/** A request as the fake saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** Virtual time. */
  readonly at: number;
}

/** An own route: takes part before the fake's. Gives null to pass. */
export type FakeRoute = (request: FakeRequest) => FakeAnswer | null | Promise<FakeAnswer | null>;

/**
 * The service in memory, behind a `fetch`: real idempotency keys and replays, job states by virtual time, the cap of
 * all-accounts, key rotation, expiring URLs, and faults on demand.
 * @example
 * const service = new FakeService();
 * const client = new Changgu(service.clientOptions);
 * const result = await service.clock.runUntil(client.jobs.run({ action: 'bank_b.accounts.list' }));
 */
export class FakeService {
  readonly baseUrl: string;
  readonly clock: VirtualClock;
  readonly faults = new FaultScript();
  /** Every request that reached the service, in order. */
  readonly requests: SeenRequest[] = [];
  readonly #state: FakeState;
  readonly #results: FakeResults;
  readonly #longPolling: boolean;
  readonly #routes: FakeRoute[] = [];

  constructor(options: FakeServiceOptions = {}) {
    this.baseUrl = options.baseUrl ?? 'https://changgu.test';
    this.clock = options.clock ?? (options.realTime ? new RealClock() : new VirtualClock());
    this.#longPolling = options.longPolling ?? true;
    this.#state = new FakeState(this.clock);
    this.#results = new FakeResults(this.#state, this.baseUrl);
  }

  /** Options for `new Changgu(…)`: this service, its clock, credentials that it takes. */
  get clientOptions() {
    return {
      baseUrl: this.baseUrl,
      clientId: 'cli_fake',
      clientSecret: 'fake-secret',
      envScope: 'sandbox',
      fetch: this.fetch,
      clock: this.clock,
    } as const;
  }

  /** The jobs that there are: what "exactly one" is counted on. */
  get jobs(): readonly FakeJob[] {
    return this.#state.jobs.all;
  }

  /** How jobs of an action go from now on. @default SUCCEEDED after 1.1 seconds, with the sandbox echo */
  willEnd<const A extends ActionId>(
    action: SpelledAction<A>,
    fate: FateOf<A> | ((params: ActionParams<A>) => FateOf<A>),
  ): this {
    // The service calls it with the params of this action only.
    this.#state.fates.set(action, fate as Fate | ((params: Record<string, unknown>) => Fate));
    return this;
  }

  /** Registers bank accounts, oldest first. */
  addBankAccounts(...accounts: readonly FakeBankAccount[]): this {
    for (const account of accounts) this.#state.bankAccounts.unshift(account);
    return this;
  }

  /** Unfinished jobs of one action that all-accounts may have at a time. @default 10 */
  setCap(jobs: number): this {
    this.#state.cap = jobs;
    return this;
  }

  /** Answers operations that the fake does not have, or in its place. */
  route(route: FakeRoute): this {
    this.#routes.push(route);
    return this;
  }

  /** A new encryption key; the one before stays listed. */
  rotateKeys(): void {
    this.#state.encryption.rotate();
  }

  /** The plain text of an encrypted field. */
  decrypt(value: string): Promise<Uint8Array> {
    return this.#state.encryption.decrypt(value);
  }

  /** For the `fetch` option of a client. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const text = await request.text();
    const { pathname: path, searchParams: query } = new URL(request.url);
    const { method, headers, signal } = request;
    const fault = this.faults.take(method, path);
    return answerWithFault(fault, signal, () => {
      this.requests.push({ method, path, headers, body: text, at: this.clock.now() });
      return this.#answer({ method, path, query, headers, text, signal });
    });
  };

  async #answer(request: FakeRequest): Promise<Response> {
    const sent = request.headers.get('x-trace-id') ?? '';
    const traceId = /^trc_[0-9a-f]+$/.test(sent) ? sent : `trc_${'0'.repeat(32)}`;
    try {
      const download = /^\/v1\/artifacts\/([^/]+)\/download$/.exec(request.path);
      if (download?.[1]) {
        const { query, headers } = request;
        return await this.clock.hold(this.#results.download(download[1], query, headers));
      }
      return this.#respond(request, await this.#dispatch(request), traceId);
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      return this.#respond(request, error.toAnswer(traceId), traceId);
    }
  }

  #respond(
    { headers: asked }: FakeRequest,
    { status, body, headers }: FakeAnswer,
    traceId: string,
  ): Response {
    const text = asked.get('accept-language')?.startsWith('en') ? inEnglish(body) : body;
    return new Response(JSON.stringify(text), {
      status,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        date: new Date(this.clock.now()).toUTCString(),
        'x-trace-id': traceId,
        ...headers,
      },
    });
  }

  async #dispatch(request: FakeRequest): Promise<FakeAnswer> {
    for (const route of this.#routes) {
      const answer = await route(request);
      if (answer) return answer;
    }
    const { method, path } = request;
    if (method === 'GET' && path === '/health') return this.#health();
    if (method === 'GET' && path === '/openapi.json') {
      return { status: 200, body: { openapi: '3.1.0' } };
    }
    requireCredentials(request);
    if (method === 'GET' && path === '/v1/crypto/public-key') return this.#publicKeys();
    const envScope = requireEnvScope(request);
    if (method === 'POST' && path === '/v1/jobs') return submitJob(this.#state, request, envScope);
    if (method === 'GET' && path === '/v1/jobs') return this.#list(request, envScope);
    if (method === 'POST' && path === '/v1/jobs/all-accounts') {
      return submitAllAccounts(this.#state, request, envScope);
    }
    const [, id, rest = ''] = /^\/v1\/jobs\/([^/]+)(\/\w+)?$/.exec(path) ?? [];
    if (id) return this.#jobOperation(`${method} ${rest}`, id, request, envScope);
    throw new FakeRefusal('RESOURCE_NOT_FOUND');
  }

  async #jobOperation(
    operation: string,
    id: string,
    request: FakeRequest,
    envScope: EnvScope,
  ): Promise<FakeAnswer> {
    const job = this.#state.jobs.find(id, envScope);
    switch (operation) {
      case 'GET ':
        return this.#read(job, request);
      case 'GET /result':
        return this.clock.hold(this.#results.read(job));
      case 'DELETE /artifacts':
        return this.#results.deleteOf(job);
      case 'GET /timeline':
        return { status: 200, body: { job_id: job.id, events: [] } };
      case 'POST /cancel':
        this.#state.jobs.cancel(job);
        return { status: 200, body: this.#state.jobs.read(job) };
      default:
        throw new FakeRefusal('METHOD_NOT_ALLOWED');
    }
  }

  /** Waits for a change where the caller prefers so. */
  async #read(job: FakeJob, { headers, signal }: FakeRequest): Promise<FakeAnswer> {
    const wanted = Number(/\bwait=(\d+)/.exec(headers.get('prefer') ?? '')?.[1] ?? 0);
    const seconds = Math.min(wanted, LIMITS.preferWaitSeconds);
    const waits = this.#longPolling && seconds > 0;
    const change = this.#state.jobs.untilChange(job);
    if (waits && change !== null) await this.#sleep(Math.min(change, seconds * 1000), signal);
    const body = this.#state.jobs.read(job);
    const hint = body.retry_after_seconds;
    return {
      status: 200,
      body,
      headers: {
        ...(waits ? { 'preference-applied': 'wait' } : {}),
        ...(hint === null ? {} : { 'retry-after': String(hint) }),
      },
    };
  }

  #sleep(milliseconds: number, signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = this.clock.setTimeout(resolve, milliseconds);
      signal?.addEventListener('abort', () => {
        this.clock.clearTimeout(timer);
        reject(signal.reason);
      });
    });
  }

  #list({ query }: FakeRequest, envScope: EnvScope): FakeAnswer {
    const limit = Number(query.get('limit') ?? LIMITS.page.default);
    if (!(limit >= LIMITS.page.min && limit <= LIMITS.page.max)) {
      throw invalidField(422, ['query', 'limit']);
    }
    const states = query.getAll('status');
    const key = query.get('idempotency_key');
    const ofKey = key === null ? null : this.#state.jobsOf(key);
    const start = Number(query.get('cursor') ?? 0);
    const all = this.#state.jobs.all
      .filter((job) => job.envScope === envScope && (ofKey?.has(job) ?? true))
      .map((job) => this.#state.jobs.read(job))
      .filter(({ status }) => states.length === 0 || states.includes(status))
      .reverse();
    const end = start + limit;
    const nextCursor = end < all.length ? String(end) : null;
    return { status: 200, body: { items: all.slice(start, end), next_cursor: nextCursor } };
  }

  async #publicKeys(): Promise<FakeAnswer> {
    const jwks = await this.clock.hold(this.#state.encryption.jwks());
    return { status: 200, body: jwks, headers: { 'cache-control': 'max-age=300' } };
  }

  #health(): FakeAnswer {
    const time = kstTime(this.clock.now());
    return { status: 200, body: { status: 'ok', service: 'changgu', version: '2.0.0', time } };
  }
}

function requireCredentials({ headers }: FakeRequest): void {
  if (!headers.has('authorization') && !headers.has('x-api-key')) {
    throw new FakeRefusal('AUTH_INVALID_CREDENTIALS');
  }
}

function requireEnvScope({ headers }: FakeRequest): EnvScope {
  const scope = ENV_SCOPES.find((name) => name === headers.get('x-env-scope'));
  if (!scope) throw invalidField(400, ['header', 'X-Env-Scope']);
  return scope;
}
