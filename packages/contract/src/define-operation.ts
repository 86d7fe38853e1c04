import type { TObject, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { May, OAuthScope } from './principals.ts';

export interface OperationResponse {
  readonly description: string;
  readonly schema?: TSchema;
  /** Default application/json. */
  readonly contentType?: string;
  /** What the answer is instead, as a stream, for those who accept it. */
  readonly streamType?: string;
  /** Response headers beyond X-Trace-Id, name → description. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the wire. Routes, OpenAPI, the table of permissions and the SDK's coverage test all read it. */
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
  /** What an OAuth token needs for it; without one, the operation is closed to OAuth tokens. */
  readonly scope?: OAuthScope;
  /**
   * How the environment is chosen: `required` by X-Env-Scope; `header_or_query` also by `env_scope`;
   * `client` only required of client principals; `none` when the operation has none.
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
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** Codes beyond those every operation of its kind can answer with. */
  readonly errors: readonly ErrorCode[];
  /** Also for console users who must add a second factor first. */
  readonly withoutFactor?: true;
  /** A request without any credentials is not an error: the handler answers it. Bad credentials still are. */
  readonly orNobody?: true;
  /** Not in the specification. */
  readonly addition?: true;
}

/** Keeps the literal types of an operation, so that a route handler knows its params, query and body. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}
