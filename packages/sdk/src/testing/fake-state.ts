import type { EnvScope } from '@changgu/contract';
import { FakeRefusal } from './fake-answer.ts';
import { type FakeJob, FakeJobs, type Fate } from './fake-jobs.ts';
import { FakeKeys } from './fake-keys.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A bank account that the fake knows, newest first in the list. */
export interface FakeBankAccount {
  readonly provider: string;
  readonly accountLinkId: string;
  readonly bankAccountCredentialId: string;
  readonly maskedAccountNo: string;
}

interface KeyRecord {
  readonly identity: string;
  readonly job: FakeJob;
}

const REAL_TEST_TOKENS_PER_DAY = 100;
export const DAY_MS = 24 * 3600_000;
const KST_MS = 9 * 3600_000;

/** Everything that the fake service remembers. */
export class FakeState {
  readonly clock: VirtualClock;
  readonly jobs: FakeJobs;
  readonly encryption = new FakeKeys();
  /** Idempotency keys by environment, operation, key and account. */
  readonly keys = new Map<string, KeyRecord>();
  /** Requests of all-accounts keys, without their accounts. */
  readonly batches = new Map<string, string>();
  /** How jobs of an action go; a function may decide by the params. */
  readonly fates = new Map<string, Fate | ((params: Record<string, unknown>) => Fate)>();
  readonly bankAccounts: FakeBankAccount[] = [];
  /** Unfinished jobs of one action that all-accounts may have at a time. */
  cap = 10;
  readonly #used = new Map<number, number>();

  constructor(clock: VirtualClock) {
    this.clock = clock;
    this.jobs = new FakeJobs(clock);
  }

  /** Tokens left today; null where there is no limit. */
  remaining(envScope: EnvScope): number | null {
    if (envScope !== 'real_test') return null;
    return REAL_TEST_TOKENS_PER_DAY - (this.#used.get(this.#kstDay()) ?? 0);
  }

  /** @throws FakeRefusal POLICY_QUOTA_EXCEEDED with the seconds until midnight KST */
  charge(envScope: EnvScope, tokens: number): void {
    const left = this.remaining(envScope);
    if (left === null) return;
    if (left < tokens) {
      const sinceMidnight = (this.clock.now() + KST_MS) % DAY_MS;
      throw new FakeRefusal('POLICY_QUOTA_EXCEEDED', {
        retryAfterSeconds: Math.ceil((DAY_MS - sinceMidnight) / 1000),
      });
    }
    this.#used.set(this.#kstDay(), REAL_TEST_TOKENS_PER_DAY - left + tokens);
  }

  #kstDay(): number {
    return Math.floor((this.clock.now() + KST_MS) / DAY_MS);
  }

  /** Jobs submitted under a key, in whatever environment and operation. */
  jobsOf(key: string): ReadonlySet<FakeJob> {
    const records = [...this.keys].filter(([scope]) => scope.split('\n')[2] === key);
    return new Set(records.map(([, { job }]) => job));
  }
}
