import { type AllAccountsCheckpoint, Changgu } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { describe, expect, it } from 'vitest';
import { HISTORY } from './support/fake.ts';

const ACCOUNTS = ['a', 'b', 'c', 'd', 'e'];
const CAP = 2;

/** Everything that an all-accounts call waits for goes through `pass`; from the fatal one on, nothing comes back. */
class Crash {
  #awaits = 0;
  readonly #fatal: number;
  #die: () => void = () => {};
  readonly died = new Promise<void>((resolve) => {
    this.#die = resolve;
  });

  constructor(fatal: number) {
    this.#fatal = fatal;
  }

  get awaits(): number {
    return this.#awaits;
  }

  async pass<T>(work: () => T | Promise<T>): Promise<T> {
    this.#awaits += 1;
    if (this.#awaits >= this.#fatal) {
      this.#die();
      return new Promise<T>(() => {});
    }
    return work();
  }
}

function service() {
  const accounts = ACCOUNTS.map((id) => ({
    provider: 'bank_b',
    accountLinkId: 'link',
    bankAccountCredentialId: id,
    maskedAccountNo: `1*${id}`,
  }));
  return new FakeService().addBankAccounts(...accounts).setCap(CAP);
}

/** A process that crashes: stores checkpoints and notes the accounts that it has dealt with. */
async function runUntilCrash(fake: FakeService, crash: Crash, stored: { text: string }) {
  const dealtWith: string[] = [];
  const client = new Changgu({
    ...fake.clientOptions,
    random: () => 0,
    // Before a request leaves, and before its answer arrives.
    fetch: async (url, init) => {
      await crash.pass(() => {});
      const answer = await fake.fetch(url, init as RequestInit);
      return crash.pass(() => answer);
    },
  });
  const onCheckpoint = async (checkpoint: AllAccountsCheckpoint) => {
    await crash.pass(() => {});
    stored.text = JSON.stringify(checkpoint);
    await crash.pass(() => {});
  };
  const work = async () => {
    const request = { action: HISTORY, batchKey: 'batch' } as const;
    for await (const outcome of client.jobs.allAccounts(request, { onCheckpoint })) {
      await crash.pass(() => {});
      dealtWith.push(outcome.bankAccountCredentialId);
      await crash.pass(() => {});
    }
  };
  await fake.clock.runUntil(Promise.race([work(), crash.died]));
  return dealtWith;
}

async function resume(fake: FakeService, stored: string): Promise<string[]> {
  const client = new Changgu({ ...fake.clientOptions, random: () => 0 });
  const start = stored === '' ? { action: HISTORY, batchKey: 'batch' } : JSON.parse(stored);
  const work = async () => {
    const ids: string[] = [];
    for await (const outcome of client.jobs.allAccounts(start)) {
      expect(outcome.ok).toBe(true);
      ids.push(outcome.bankAccountCredentialId);
    }
    return ids;
  };
  return fake.clock.runUntil(work());
}

describe('an all-accounts call whose process is killed', () => {
  it('loses no account and queries none twice, at whichever await it was killed', async () => {
    const whole = new Crash(Number.POSITIVE_INFINITY);
    await runUntilCrash(service(), whole, { text: '' });
    expect(whole.awaits).toBeGreaterThan(30);

    for (let fatal = 1; fatal <= whole.awaits; fatal++) {
      const fake = service();
      const stored = { text: '' };
      const before = await runUntilCrash(fake, new Crash(fatal), stored);
      const after = await resume(fake, stored.text);
      expect([...new Set([...before, ...after])].sort(), `killed at ${fatal}`).toEqual(ACCOUNTS);
      expect(fake.jobs, `killed at ${fatal}`).toHaveLength(ACCOUNTS.length);
    }
  });

  it('queries no account twice from a checkpoint of an earlier round', async () => {
    const fake = service();
    const checkpoints: string[] = [];
    const client = new Changgu({ ...fake.clientOptions, random: () => 0 });
    const work = async () => {
      const onCheckpoint = (checkpoint: AllAccountsCheckpoint) => {
        checkpoints.push(JSON.stringify(checkpoint));
      };
      for await (const _ of client.jobs.allAccounts({ action: HISTORY }, { onCheckpoint }));
    };
    await fake.clock.runUntil(work());
    expect(checkpoints.length).toBeGreaterThanOrEqual(4);
    for (const checkpoint of checkpoints) {
      const pending = JSON.parse(checkpoint).pending.length;
      const resumed = await resume(fake, checkpoint);
      expect(resumed.length).toBeGreaterThanOrEqual(pending);
    }
    expect(fake.jobs).toHaveLength(ACCOUNTS.length);
  });

  it('hands over again, after a resume, only what the loop had not dealt with', async () => {
    const fake = service();
    const client = new Changgu({ ...fake.clientOptions, random: () => 0 });
    const outcomes = client.jobs.allAccounts({ action: HISTORY });
    const seen: string[] = [];
    const work = async () => {
      for await (const { bankAccountCredentialId: id } of outcomes) {
        seen.push(id);
        if (seen.length === 3) break;
      }
    };
    await fake.clock.runUntil(work());
    const resumed = await resume(fake, JSON.stringify(outcomes.checkpoint));
    // The third was being dealt with when the loop was left.
    expect([...seen.slice(0, 2), ...resumed].sort()).toEqual(ACCOUNTS);
  });
});
