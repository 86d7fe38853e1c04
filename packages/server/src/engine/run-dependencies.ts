import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { LinkPurpose } from '@changgu/contract/schemas';
import type { EncryptionKeys } from '../crypto/encryption-keys.ts';
import type { Vault } from '../crypto/vault.ts';
import type { CallResources } from '../institutions/call-resources.ts';
import type { Connector, RealScope } from '../institutions/connector.ts';
import type { Outcome } from '../rules/endings/endings.ts';
import type { BindCiphertexts } from '../rules/submission/bind-ciphertexts.ts';
import type { CallRows, Suspension } from '../store/queue/call-rows.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import type { EngineStore } from '../store/queue/engine-scripts.ts';
import type { Owned } from '../store/queue/runs.ts';
import type { Timers } from '../timers.ts';
import type { ArtifactCollector } from './artifact-collector.ts';
import type { StopReason } from './job-stopped.ts';

/** Structured logging with pino's signature. Never contains secrets. */
export interface EngineLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ResourceRequest {
  readonly job: ClaimedJob;
  readonly envScope: RealScope;
  /** Active, belonging to the job's organization. */
  readonly rows: CallRows;
  readonly signal: AbortSignal;
}

export interface RunDependencies {
  readonly store: EngineStore;
  /** Business time in milliseconds. */
  readonly now: () => Promise<number>;
  readonly vault: Pick<Vault, 'open' | 'seal' | 'sealFile'>;
  readonly encryptionKeys: Pick<EncryptionKeys, 'of'>;
  readonly bindCiphertexts: BindCiphertexts<string>;
  readonly actions: ReadonlyMap<string, CatalogueAction>;
  readonly connectors: ReadonlyMap<string, Connector>;
  /** The purposes of links that the environment uses; null for any. */
  readonly linkPurpose: (provider: string, envScope: RealScope) => LinkPurpose | null;
  /** The environments that reach the same site as this one, itself included. */
  readonly scopesOfSite: (provider: string, envScope: RealScope) => readonly RealScope[];
  /** @throws ServiceError PROVIDER_NOT_CONFIGURED, and any error of opening a credential */
  readonly openResources: (request: ResourceRequest) => Promise<CallResources>;
  /** Violations of the action's result schema; empty for a valid result. */
  readonly resultViolations: (action: CatalogueAction, data: unknown) => readonly string[];
  /** How long a sandbox job runs. */
  readonly sandboxDelayMs: number;
  readonly timers: Timers;
  readonly log: EngineLog;
}

/** What the worker provides for one job's run. */
export interface RunControl {
  readonly owner: string;
  /** Aborted with a JobStopped when the connector must stop. */
  readonly signal: AbortSignal;
  /** Aborted when this worker no longer owns the job and may write nothing more. */
  readonly lease: AbortSignal;
  stop(reason: StopReason): void;
  /** Milliseconds until the deadline. */
  timeLeft(): number;
  /** From here on no other worker takes the job over, and missed heartbeats do not stop it. */
  passedPoint(): void;
  pastPoint(): boolean;
}

/** Lets the store check that the job still belongs to this run. */
export function runOf(job: Pick<ClaimedJob, 'id' | 'attempt'>, { owner }: RunControl): Owned {
  return { id: job.id, owner, attempt: job.attempt };
}

/** How a run ended its job. Not sealed yet, because sealing needs the store, which may be unavailable. */
export interface Ending {
  readonly outcome: Outcome;
  /** JSON of `result.data`. */
  readonly result: string | null;
  readonly artifacts: ArtifactCollector | null;
  readonly suspension: Suspension | null;
}

export function endingWith(outcome: Outcome): Ending {
  return { outcome, result: null, artifacts: null, suspension: null };
}
