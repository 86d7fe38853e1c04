import type { ErrorCode } from '@changgu/contract';

/** What the service answers to a round: the accounts asked for that are not named here find no room. */
export type ScriptedRound =
  | { readonly accepts: readonly string[]; readonly interruptedBy?: ErrorCode }
  | { readonly refusedWith: ErrorCode };

/** Why a call is over, in the words of the SDK's steps. */
export type ExpectedStop = 'ended' | 'deadline' | 'interrupted' | 'refused' | 'full' | 'aborted';

/** One all-accounts call, played to a driver. All times are seconds. */
export interface AllAccountsCase {
  /** Completes the sentence "an all-accounts call …". */
  readonly name: string;
  readonly accounts: readonly string[];
  /** In order; the last one answers every further round. */
  readonly rounds: readonly ScriptedRound[];
  /** How long the job of an account runs. @default 5 */
  readonly jobSeconds?: Readonly<Record<string, number>>;
  /** Null: the caller waits as long as it takes. */
  readonly deadlineSeconds: number | null;
  readonly abortAfterSeconds?: number;
  /** @default wait */
  readonly whenFull?: 'wait' | 'return';
  readonly expected: {
    readonly stop: ExpectedStop;
    /** The accounts of each round, in order. */
    readonly rounds: readonly (readonly string[])[];
    /** Accounts whose jobs ended before the call was over. */
    readonly ended: readonly string[];
    /** The code that stopped it; null when none did. */
    readonly code: ErrorCode | null;
  };
}

/** Pause between two rounds, as the scripted service names it. */
export const PAUSE_SECONDS = 10;

/** When a driver of an all-accounts call continues, and when it stops: the same for every driver. */
export const ALL_ACCOUNTS_CASES: readonly AllAccountsCase[] = [
  {
    name: 'ends when every account was submitted and every job has ended',
    accounts: ['a', 'b', 'c'],
    rounds: [{ accepts: ['a'] }, { accepts: ['b'] }, { accepts: ['c'] }],
    deadlineSeconds: null,
    expected: {
      stop: 'ended',
      rounds: [['a', 'b', 'c'], ['b', 'c'], ['c']],
      ended: ['a', 'b', 'c'],
      code: null,
    },
  },
  {
    name: 'leaves open what has not ended at the deadline',
    accounts: ['a', 'b'],
    rounds: [{ accepts: ['a', 'b'] }],
    jobSeconds: { b: 3_600 },
    deadlineSeconds: 30,
    expected: { stop: 'deadline', rounds: [['a', 'b']], ended: ['a'], code: null },
  },
  {
    name: 'sends no round whose pause would outlast the deadline',
    accounts: ['a', 'b'],
    rounds: [{ accepts: ['a'] }, { accepts: ['b'] }],
    jobSeconds: { a: 3_600 },
    deadlineSeconds: PAUSE_SECONDS / 20,
    expected: { stop: 'deadline', rounds: [['a', 'b']], ended: [], code: null },
  },
  {
    name: 'submits the next account as soon as a job of its own has made room',
    accounts: ['a', 'b'],
    rounds: [{ accepts: ['a'] }, { accepts: ['b'] }],
    jobSeconds: { a: 1, b: 1 },
    deadlineSeconds: PAUSE_SECONDS - 1,
    expected: { stop: 'ended', rounds: [['a', 'b'], ['b']], ended: ['a', 'b'], code: null },
  },
  {
    name: 'stops submitting when the quota runs out midway, and still waits for its jobs',
    accounts: ['a', 'b', 'c'],
    rounds: [{ accepts: ['a'], interruptedBy: 'POLICY_QUOTA_EXCEEDED' }, { accepts: ['b', 'c'] }],
    deadlineSeconds: 40,
    expected: {
      stop: 'interrupted',
      rounds: [['a', 'b', 'c']],
      ended: ['a'],
      code: 'POLICY_QUOTA_EXCEEDED',
    },
  },
  {
    name: 'continues after an interruption that passes by itself',
    accounts: ['a', 'b'],
    rounds: [{ accepts: ['a'], interruptedBy: 'SERVICE_UNAVAILABLE' }, { accepts: ['b'] }],
    deadlineSeconds: 40,
    expected: { stop: 'ended', rounds: [['a', 'b'], ['b']], ended: ['a', 'b'], code: null },
  },
  {
    name: 'is interrupted by what would pass, but not before the deadline',
    accounts: ['a', 'b'],
    rounds: [{ accepts: ['a'], interruptedBy: 'RATE_LIMITED' }],
    jobSeconds: { a: 0 },
    deadlineSeconds: PAUSE_SECONDS / 20,
    expected: { stop: 'interrupted', rounds: [['a', 'b']], ended: ['a'], code: 'RATE_LIMITED' },
  },
  {
    name: 'is refused when its first round is',
    accounts: ['a'],
    rounds: [{ refusedWith: 'POLICY_QUOTA_EXCEEDED' }],
    deadlineSeconds: 40,
    expected: { stop: 'refused', rounds: [['a']], ended: [], code: 'POLICY_QUOTA_EXCEEDED' },
  },
  {
    name: 'keeps what it submitted when a later round is refused',
    accounts: ['a', 'b'],
    rounds: [{ accepts: ['a'] }, { refusedWith: 'POLICY_QUOTA_EXCEEDED' }],
    jobSeconds: { a: 20 },
    deadlineSeconds: 40,
    expected: {
      stop: 'refused',
      rounds: [['a', 'b'], ['b']],
      ended: ['a'],
      code: 'POLICY_QUOTA_EXCEEDED',
    },
  },
  {
    name: 'ends at once when its caller aborts',
    accounts: ['a', 'b'],
    rounds: [{ accepts: ['a'] }, { accepts: ['b'] }],
    jobSeconds: { a: 3_600 },
    deadlineSeconds: null,
    abortAfterSeconds: 2,
    expected: { stop: 'aborted', rounds: [['a', 'b']], ended: [], code: null },
  },
  {
    name: 'returns at once when nothing finds room and its caller does not want to wait (R116)',
    accounts: ['a', 'b'],
    rounds: [{ accepts: [] }],
    deadlineSeconds: 40,
    whenFull: 'return',
    expected: { stop: 'full', rounds: [['a', 'b']], ended: [], code: null },
  },
  {
    name: 'waits for room when its caller wants to',
    accounts: ['a', 'b'],
    rounds: [{ accepts: [] }, { accepts: [] }, { accepts: ['a', 'b'] }],
    deadlineSeconds: null,
    expected: {
      stop: 'ended',
      rounds: [
        ['a', 'b'],
        ['a', 'b'],
        ['a', 'b'],
      ],
      ended: ['a', 'b'],
      code: null,
    },
  },
];
