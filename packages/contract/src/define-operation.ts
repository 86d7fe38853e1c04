import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { May, OAuthScope } from './principals.ts';

export interface OperationResponse {
  readonly description: string;
  readonly schema?: TSchema;
  /** Default application/json. */
  readonly contentType?: string;
  /** The content type of the streamed answer, for clients that accept it. */
  readonly streamType?: string;
  /** Response headers beyond X-Trace-Id, name → description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the API. Routes, OpenAPI, the table of permissions and the SDK's coverage test all read it. */
export interface Operation {
  /** camelCase and unique, e.g. `submitJob`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI form: `/v1/jobs/{job_id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly may: May;
  /** The scope that an OAuth token needs; without one, the operation is closed to OAuth tokens. */
  readonly scope?: OAuthScope;
  /**
   * How the environment is chosen: `required` by X-Env-Scope; `header_or_query` also by `env_scope`;
   * `client` requires it of client principals only; `none` means that the operation has none.
   */
  readonly environment: 'required' | 'header_or_query' | 'client' | 'none';
  readonly idempotencyKey?: 'required' | 'optional';
  /** Additional request headers, name → description. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Default true when there is a body schema. */
  readonly bodyRequired?: boolean;
  /** Default `LIMITS.bodyBytes`. */
  readonly maxBodyBytes?: number;
  /** The body holds objects of any form, whose size alone is limited. */
  readonly freeForm?: true;
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** Codes in addition to those that every operation of its kind can return. */
  readonly errors: readonly ErrorCode[];
  /** Of several codes for what does not exist, the one of each path parameter. */
  readonly notFound?: Readonly<Record<string, ErrorCode>>;
  /** What the body of an error may be instead of the envelope, by status. */
  readonly errorSchemas?: Readonly<Record<number, TSchema>>;
  /** Also open to console users who still have to add a second factor. */
  readonly withoutFactor?: true;
  /** A request without credentials is allowed: the handler answers it. Invalid credentials are still an error. */
  readonly orAnonymous?: true;
  /** Not part of the base specification. */
  readonly addition?: true;
}

/** Keeps an operation's literal types, so that a route handler knows its params, query and body. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}
