import type { EnvScope } from '@changgu/contract';
import { asServiceError } from '../requests/error-answer.ts';
import type { Language } from '../requests/language.ts';
import type { RequestOrigin } from '../rules/principals/actor.ts';
import type { ClientPrincipal } from '../rules/principals/principal.ts';
import type { ServiceError } from '../rules/service-error.ts';
import type { Toolset } from './tools/toolsets.ts';

/** The caller of POST /mcp, and its headers. */
export interface Caller {
  readonly principal: ClientPrincipal;
  readonly envScope: EnvScope;
  readonly origin: RequestOrigin;
  readonly language: Language;
  /** The header Idempotency-Key. */
  readonly idempotencyKey: string | null;
  /** The header X-Sandbox-Outcome. */
  readonly sandboxOutcome: string | null;
  /** Which actions are listed as tools (X-Mcp-Toolsets). */
  readonly toolsets: ReadonlySet<Toolset>;
  /** Ends a wait early, never a job: the caller has disconnected or the server is draining. */
  readonly stopWaiting: AbortSignal;
  /** Whether the same key would still be admitted; called now and then during long answers. */
  readonly stillAdmitted: () => Promise<boolean>;
  /** Logs for the operator what the caller is not told. */
  readonly onFailure: (failure: ServiceError) => void;
}

/** Before a call that has waited acts again, or shows what it waited for. A check that cannot be made ends no call. */
export async function isStillAdmitted(
  caller: Pick<Caller, 'stillAdmitted' | 'onFailure'>,
): Promise<boolean> {
  try {
    return await caller.stillAdmitted();
  } catch (failure) {
    knownFailure(caller, failure);
    return true;
  }
}

/** A failure as the caller is told it. What the caller is not told is logged. */
export function knownFailure(
  { onFailure }: Pick<Caller, 'onFailure'>,
  failure: unknown,
): ServiceError {
  const error = asServiceError(failure);
  if (error.code === 'INTERNAL_ERROR') onFailure(error);
  return error;
}
