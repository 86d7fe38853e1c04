/** Something that goes wrong with one request. */
export type Fault = FaultKind & {
  /** Only requests whose `METHOD /path` matches; others pass and leave the fault in place. */
  readonly on?: RegExp;
};

type FaultKind =
  /** The connection is refused: the service sees nothing. */
  | { readonly kind: 'refuse' }
  /** The connection breaks, before or after the service did its work. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** The service does its work, and half of the answer arrives. */
  | { readonly kind: 'truncate' }
  /** The service does its work, the headers arrive, the body never ends. */
  | { readonly kind: 'stall' }
  /** No answer at all, before or after the work. */
  | { readonly kind: 'silence'; readonly when: 'before' | 'after' }
  /** The service refuses with an error code. */
  | {
      readonly kind: 'refusal';
      readonly code: string;
      readonly retryAfterSeconds?: number;
    };

/** Faults in the order in which they will happen, one request each. */
export class FaultScript {
  readonly #faults: Fault[] = [];

  add(...faults: readonly Fault[]): this {
    this.#faults.push(...faults);
    return this;
  }

  /** Faults that did not happen yet. */
  get pending(): number {
    return this.#faults.length;
  }

  /** The fault of this request, if it gets one. */
  take(method: string, path: string): Fault | null {
    const index = this.#faults.findIndex(({ on }) => !on || on.test(`${method} ${path}`));
    return index < 0 ? null : (this.#faults.splice(index, 1)[0] ?? null);
  }
}
