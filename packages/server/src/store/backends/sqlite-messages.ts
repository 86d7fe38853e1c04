import type { Pool } from '../../rules/claiming/pool.ts';
import type { ScriptName } from '../scripts.ts';
import type { Failure } from '../transactions/failure.ts';
import type { Signal } from '../transactions/script.ts';

/** The start options of the store thread. */
export interface ThreadOptions {
  readonly path: string;
  readonly migrate: boolean;
}

export interface ThreadCall extends ScriptName {
  readonly id: number;
  readonly input: unknown;
}

export type ThreadAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly failure: Failure };

export type ToThread =
  | { readonly calls: readonly ThreadCall[] }
  /** Calls up to this id wait no more for ready jobs of the pool, also those that are still to come or to run. */
  | { readonly recall: Pool; readonly upTo: number }
  | { readonly collectGarbage: true }
  | { readonly close: true };

export type FromThread =
  | { readonly kind: 'opened' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | {
      readonly kind: 'answers';
      readonly answers: readonly ThreadAnswer[];
      readonly signals: readonly Signal[];
    };
