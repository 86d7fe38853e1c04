import { seededRandom } from '../seed/random.ts';
import type { Feature } from './features.ts';

export type PortalState = 'HEALTHY' | 'DEGRADED' | 'DOWN';

export const HOSTILE_KINDS = [
  'huge_body',
  'endless_body',
  'redirect_elsewhere',
  'malformed_html',
  'wrong_charset',
  'script_in_fields',
] as const;

export type HostileKind = (typeof HOSTILE_KINDS)[number];

export interface StateOrder {
  state: PortalState;
  latencyMs: number;
  /** Share of requests answered with 502 while DEGRADED. */
  errorRate: number;
  /** Business clock at which the portal is healthy again; null: until ordered. */
  until: number | null;
}

const HEALTHY: StateOrder = { state: 'HEALTHY', latencyMs: 0, errorRate: 0, until: null };

/** How a portal feels today, as ordered through the control API. */
export class Condition {
  readonly #now: () => number;
  #order: StateOrder = HEALTHY;
  #hostile: { kind: HostileKind; pathPrefix: string } | null = null;
  #random = seededRandom('condition');
  #features: ReadonlySet<Feature> = new Set();
  #counted = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  order(order: StateOrder): void {
    this.#order = order;
    this.#random = seededRandom('condition');
  }

  current(): StateOrder {
    const { until } = this.#order;
    if (until !== null && this.#now() >= until) this.#order = HEALTHY;
    return this.#order;
  }

  /** Whether this request fails: the same requests fail after the same order. */
  failsNow(): boolean {
    const { state, errorRate } = this.current();
    return state === 'DEGRADED' && this.#random.chance(errorRate);
  }

  setFeatures(features: readonly Feature[]): void {
    this.#features = new Set(features);
    this.#counted = 0;
  }

  has(feature: Feature): boolean {
    return this.#features.has(feature);
  }

  features(): readonly Feature[] {
    return [...this.#features];
  }

  /** Whether this request is one too many: every fifth since the features were set. */
  isTooMany(): boolean {
    this.#counted += 1;
    return this.#counted % 5 === 0;
  }

  setHostile(kind: HostileKind | null, pathPrefix: string): void {
    this.#hostile = kind === null ? null : { kind, pathPrefix };
  }

  hostile(path: string): HostileKind | null {
    return this.#hostile && path.startsWith(this.#hostile.pathPrefix) ? this.#hostile.kind : null;
  }

  hostileKind(): HostileKind | null {
    return this.#hostile?.kind ?? null;
  }
}
