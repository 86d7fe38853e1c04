/**
 * The all-accounts rules as a small model: one caller at a time, no clock, no database. What it answers, the
 * service must answer.
 */

export const MODEL_ACTIONS = {
  bank_b: { action: 'bank_b.accounts.transaction_history.search', tokens: 1 },
  bank_d: { action: 'bank_d.accounts.transaction_history.search', tokens: 2 },
} as const;
export type ModelBank = keyof typeof MODEL_ACTIONS;

export interface ModelAccount {
  readonly id: string;
  readonly linkId: string;
  readonly bank: ModelBank;
  linked: boolean;
}

export interface ModelJob {
  readonly bank: ModelBank;
  readonly linkId: string;
  status: string;
}

export interface ModelCall {
  readonly key: string;
  readonly bank: ModelBank;
  /** Stands for the params: another variant is another request. */
  readonly variant: number;
  readonly linkId: string | null;
  readonly accountIds: readonly string[] | null;
}

export interface ModelLine {
  readonly linkId: string;
  readonly accountId: string;
  /** `new` for a job that this call makes. */
  readonly job: ModelJob | 'new' | null;
}

export type ModelAnswer =
  | { readonly status: 200 | 202; readonly lines: readonly ModelLine[] }
  | { readonly status: 404 | 409 | 429; readonly code: string };

const UNFINISHED = ['QUEUED', 'RUNNING'];

export class AllAccountsModel {
  /** In order of registration. */
  readonly links: { readonly id: string; readonly bank: ModelBank }[] = [];
  /** In order of registration. */
  readonly accounts: ModelAccount[] = [];
  /** By `key account`, and single submits by anything. */
  readonly jobs = new Map<string, ModelJob>();
  readonly requests = new Map<string, string>();
  readonly cap: number;
  readonly limit: number;
  used = 0;

  constructor(cap: number, limit: number) {
    this.cap = cap;
    this.limit = limit;
  }

  answer(call: ModelCall): ModelAnswer {
    const known = this.requests.get(call.key);
    if (known !== undefined && known !== requestOf(call)) {
      return { status: 409, code: 'IDEMPOTENCY_KEY_CONFLICT' };
    }
    const links = this.links.filter(
      ({ id, bank }) => bank === call.bank && (call.linkId === null || call.linkId === id),
    );
    if (links.length === 0) return { status: 404, code: 'BANK_ACCOUNT_PARENT_NOT_FOUND' };
    const chosen = this.chosen(call, links);
    const listed = call.accountIds === null ? 0 : new Set(call.accountIds).size;
    if (chosen.length === 0 || chosen.length < listed) {
      return { status: 404, code: 'BANK_ACCOUNT_CREDENTIAL_NOT_FOUND' };
    }
    const fresh = chosen.filter(({ id }) => !this.jobs.has(`${call.key} ${id}`));
    const needed = fresh.length * MODEL_ACTIONS[call.bank].tokens;
    if (fresh.length > 0 && this.used + needed > this.limit) {
      return { status: 429, code: 'POLICY_QUOTA_EXCEEDED' };
    }
    const accepted = new Set(fresh.slice(0, this.room(call.bank)));
    return {
      status: accepted.size > 0 ? 202 : 200,
      lines: chosen.map((account) => ({
        linkId: account.linkId,
        accountId: account.id,
        job: accepted.has(account) ? 'new' : (this.jobs.get(`${call.key} ${account.id}`) ?? null),
      })),
    };
  }

  /** What the answer changes. */
  accept(call: ModelCall, answer: ModelAnswer): void {
    if (!('lines' in answer)) return;
    for (const { job, linkId, accountId } of answer.lines) {
      if (job !== 'new') continue;
      this.requests.set(call.key, requestOf(call));
      this.add(`${call.key} ${accountId}`, { bank: call.bank, linkId, status: 'QUEUED' });
    }
  }

  add(name: string, job: ModelJob): void {
    this.jobs.set(name, job);
    this.used += MODEL_ACTIONS[job.bank].tokens;
  }

  /** A job that never ran gives its tokens back. */
  cancel(job: ModelJob): void {
    if (job.status === 'QUEUED') this.used -= MODEL_ACTIONS[job.bank].tokens;
    job.status = 'CANCELED';
  }

  unlink(account: ModelAccount): void {
    account.linked = false;
  }

  /** How many jobs the cap has room for. */
  room(bank: ModelBank): number {
    const unfinished = [...this.jobs.values()].filter(
      (job) => job.bank === bank && UNFINISHED.includes(job.status),
    );
    return Math.max(0, this.cap - unfinished.length);
  }

  private chosen(call: ModelCall, links: readonly { readonly id: string }[]): ModelAccount[] {
    return links.toReversed().flatMap(({ id }) =>
      this.accounts
        .filter((account) => account.linkId === id && account.linked)
        .filter((account) => call.accountIds?.includes(account.id) ?? true)
        .toReversed(),
    );
  }
}

function requestOf({ bank, variant }: ModelCall): string {
  return `${bank} ${variant}`;
}
