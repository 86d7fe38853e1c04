import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualTimers } from '../../src/engine/testing/manual-timers.ts';
import {
  type BreakingLine,
  startBreakingLine,
} from '../../src/institutions/testing/breaking-line.ts';
import { kstDay } from '../../src/rules/kst.ts';
import { failureOf } from '../support/job-failure.ts';
import { realData } from '../support/real-data.ts';
import { type RealTestServer, startRealTestServer } from '../support/real-test-server.ts';

const BANKS = ['bank_b', 'bank_c', 'bank_d'] as const;
type Bank = (typeof BANKS)[number];

/** Empty, but for the rows that the test adds; the same number at every bank. */
const YEAR_ACCOUNT = '20001234560200';
const DAY_ACCOUNT = '20001234570200';
const ROWS = 1_000;
const HOUR_MS = 3_600_000;
const TODAY = Date.now();

/** The worker's time, which every request to a bank uses up. */
const timers = createManualTimers();
let requestMs = 0;

const lines: BreakingLine[] = [];
let real: RealTestServer;
beforeAll(async () => {
  const slowLine = async (url: string) => {
    const line = await startBreakingLine(url, () => {
      timers.pass(requestMs);
      return null;
    });
    lines.push(line);
    return line.url;
  };
  // Heartbeats are not what is tried here, and a lease must not end between two of them.
  const env = { LEASE_SECONDS: '600' };
  real = await startRealTestServer(env, {
    timers,
    reachedBy: async ({ urls }) =>
      Object.fromEntries(
        await Promise.all(BANKS.map(async (bank) => [bank, await slowLine(urls[bank])] as const)),
      ),
  });
  await add(YEAR_ACCOUNT, ROWS, (row) => TODAY - row * 8 * HOUR_MS);
  await add(DAY_ACCOUNT, 300, () => TODAY - 48 * HOUR_MS);
});
afterAll(async () => {
  await real[Symbol.asyncDispose]();
  await Promise.all(lines.map((line) => line.close()));
});

async function add(account: string, rows: number, at: (row: number) => number): Promise<void> {
  const transactions = Array.from({ length: rows }, (_, row) => ({
    deposit_amount: 1_000 + row,
    description: nameOf(row),
    at: at(row),
  }));
  const answer = await fetch(
    `${real.simulators.controlUrl}/bank-accounts/${account}/transactions`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(transactions),
    },
  );
  expect(answer.status).toBe(201);
}

const nameOf = (row: number) => `row ${row}`;
const NAMES = Array.from({ length: ROWS }, (_, row) => nameOf(row)).toSorted();

interface Ask {
  readonly bank: Bank;
  readonly accountLinkId: string;
  readonly params: Readonly<Record<string, string>>;
}

async function run({ bank, accountLinkId, params }: Ask) {
  const action = `${bank}.accounts.transaction_history.search` as const;
  const handle = await real.client.jobs.submit({ action, accountLinkId, params });
  const { data, artifacts } = await handle.result();
  expect((await real.client.jobs.get(handle.id)).status).toBe('SUCCEEDED');
  expect(artifacts).toHaveLength(1);
  return realData(data);
}

type Part = Awaited<ReturnType<typeof run>>;

/** Submits the action again with what `next` says, until it says nothing. */
async function allParts(first: Ask): Promise<Part[]> {
  const parts: Part[] = [];
  let ask = first;
  for (;;) {
    const part = await run(ask);
    parts.push(part);
    if (part.next === null) return parts;
    const { from_date, to_date } = part.next;
    ask = { ...first, params: { ...first.params, from_date, to_date } };
  }
}

const period = {
  from_date: kstDay(TODAY - 365 * 24 * HOUR_MS),
  to_date: kstDay(TODAY),
};

describe.each([
  ['bank_b', 'asc'],
  ['bank_c', 'desc'],
  ['bank_d', 'desc'],
] as const)('1,000 transactions at a slow %s, through the SDK (%s)', (bank, order) => {
  let accountLinkId: string;
  beforeAll(async () => {
    accountLinkId = await real.linkLogin(bank, 'slowmember', 'demo1234!');
    for (const number of [YEAR_ACCOUNT, DAY_ACCOUNT]) {
      ids.set(number, await real.addAccount(accountLinkId, number));
    }
  });
  const ids = new Map<string, string>();
  const ask = (account: string): Ask => ({
    bank,
    accountLinkId,
    params: { ...period, order, bank_account_credential_id: ids.get(account) ?? '' },
  });

  it('come in one job as long as its time suffices', async () => {
    requestMs = 900;
    const whole = await run(ask(YEAR_ACCOUNT));
    expect(whole).toMatchObject({ next: null, row_count: ROWS });
    expect(whole.items.map(({ description }) => description).toSorted()).toEqual(NAMES);
  });

  it.each([
    // Bank C shows 92 days at a time: the next ones would begin with 13 s left.
    [3_700, 3],
    [8_000, 10],
  ])('come in parts where it does not: each row once, none missing (%d ms)', async (ms, least) => {
    requestMs = ms;
    const parts = await allParts(ask(YEAR_ACCOUNT));
    expect(parts.length).toBeGreaterThanOrEqual(least);
    const rows = parts.flatMap(({ items }) => items);
    expect(rows.map(({ description }) => description).toSorted()).toEqual(NAMES);
    const oldestFirst = order === 'asc' ? parts : parts.toReversed();
    for (const [index, part] of oldestFirst.slice(1).entries()) {
      expect(part.opening_balance).toBe(oldestFirst[index]?.closing_balance);
    }
    expect(oldestFirst.at(-1)?.closing_balance).toBe(
      rows.reduce((sum, { deposit_amount }) => sum + deposit_amount, 0),
    );
  });

  it('end in a time-out where a single day has more of them than the time allows', async () => {
    requestMs = 8_000;
    const failure = await failureOf(run(ask(DAY_ACCOUNT)));
    expect(failure).toMatchObject({ code: 'JOB_TIMEOUT', retryable: true });
  });
});
