import type { CamelOperations, EnvScope } from '@changgu/contract';
import {
  type ClientOptions,
  type RequestOptions,
  resolveBaseUrl,
  resolveEnvScope,
} from './client-options.ts';
import { ClientCredentials } from './credentials-of-client.ts';
import { jsonText } from './json-text.ts';
import type { Authority, OperationName, OperationRow } from './operations/operation-table.ts';
import { type Clock, systemClock } from './request/clock.ts';
import type { Logger } from './request/http.ts';
import { leveledLogger } from './request/logging.ts';
import { type Reply, reply } from './request/reply.ts';
import type { Sending } from './sending.ts';
import { SharedSending } from './shared-sending.ts';
import { snakeize, snakeRecord } from './wire-case.ts';

/** Path, query and body of an operation, in camelCase. */
export type OperationInput<O extends OperationName> = Filled<
  Pick<CamelOperations[O], 'path' | 'query' | 'body'>
>;
/** Parts that may be empty are optional. */
type Filled<T> = {
  [Name in keyof T as MayBeEmpty<T[Name]> extends true ? never : Name]: T[Name];
} & {
  [Name in keyof T as MayBeEmpty<T[Name]> extends true ? Name : never]?: T[Name] | undefined;
};
type MayBeEmpty<T> = undefined extends T ? true : Record<never, never> extends T ? true : false;

/** What any 2xx answer of an operation contains, in camelCase. */
export type OperationOutput<O extends OperationName> = CamelOperations[O]['output'];

/** An operation by its method and path. */
export interface WireRoute {
  readonly method: OperationRow['method'];
  /** Begins with a slash. */
  readonly path: string;
  /** Whose credentials are preferred. @default client */
  readonly as?: Authority | undefined;
}

/** A client's options, checked. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly envScope: EnvScope;
  readonly credentials: ClientCredentials;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
  /** As they were given. */
  readonly settings: ClientOptions;
}

/** The calls of one client. What makes them is loaded by the first. */
export class Caller implements ClientSettings {
  readonly baseUrl: string;
  readonly envScope: EnvScope;
  readonly credentials: ClientCredentials;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
  readonly settings: ClientOptions;
  readonly shared: SharedSending;
  #sending: Promise<Sending> | null = null;

  /**
   * @param shared what a derived client has in common with its origin
   * @throws ConfigurationError for an option that is missing or wrong
   */
  constructor(settings: ClientOptions, shared = new SharedSending(settings)) {
    this.baseUrl = resolveBaseUrl(settings.baseUrl);
    this.envScope = resolveEnvScope(settings.envScope);
    this.credentials = new ClientCredentials(settings);
    this.clock = settings.clock ?? systemClock;
    this.logger = leveledLogger(settings.logger, settings.logLevel);
    this.settings = settings;
    this.shared = shared;
  }

  /** Calls an operation and returns its answer in camelCase. */
  call<O extends OperationName>(
    operation: O,
    input: OperationInput<O>,
    options?: RequestOptions,
  ): Reply<OperationOutput<O>>;
  call(
    operation: OperationName,
    input: { path?: object | undefined; query?: object | undefined; body?: unknown },
    options?: RequestOptions,
  ): Reply<unknown> {
    return reply(options, async (noted) => {
      // Before anything is awaited: the input is the caller's and may change.
      const wire = {
        path: snakeRecord(input.path),
        query: snakeRecord(input.query),
        body: input.body === undefined ? undefined : jsonText(input.body, null, snakeize),
      };
      const { sender } = await this.sending();
      return sender.call(operation, wire, noted);
    });
  }

  /** Turns work whose requests use the given options into one call. */
  reply<T>(
    options: RequestOptions | undefined,
    work: (sending: Sending, options: RequestOptions) => Promise<T>,
  ): Reply<T> {
    return reply(options, async (noted) => work(await this.sending(), noted));
  }

  /** What its calls are made with. */
  sending(): Promise<Sending> {
    this.#sending ??= this.shared.parts().then((parts) => parts.sendingOf(this));
    return this.#sending;
  }
}
