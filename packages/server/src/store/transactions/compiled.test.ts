import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { connectionOf, SQLITE } from '../backends/sqlite-connection.ts';
import { compiled } from './compiled.ts';
import { clockTexts, createTransaction } from './transaction.ts';

const readClock = compiled<{ add: number }, { now: number }>(({ db, dialect }, slot) =>
  db.selectNoFrom(sql<number>`${dialect.clock} + ${slot('add')}`.as('now')),
);

/** A transaction on a database whose clock stands still. */
function transactionAt(clock: string) {
  const dialect = { ...SQLITE, clock: sql.raw<number>(clock) };
  const connection = connectionOf(new DatabaseSync(':memory:'));
  return createTransaction(connection, dialect, clockTexts(clock), []);
}

it('builds a statement once for each database, so two databases of one kind keep their own clocks', async () => {
  const [one, two] = [transactionAt('1000'), transactionAt('2000')];
  expect(await readClock(one, { add: 1 })).toEqual([{ now: 1_001 }]);
  expect(await readClock(two, { add: 2 })).toEqual([{ now: 2_002 }]);
  expect(await readClock(one, { add: 3 })).toEqual([{ now: 1_003 }]);
});

it('builds it again for another clock of the same dialect, such as one that nothing has moved', async () => {
  const readTime = compiled<object, { now: number }>(({ db, clock }) =>
    db.selectNoFrom(clock.as('now')),
  );
  const still = { ...transactionAt('1000'), dialect: SQLITE, clock: sql<number>`7` };
  const moved = { ...transactionAt('1000'), dialect: SQLITE, clock: sql<number>`7 + 60` };
  expect(await readTime(still, {})).toEqual([{ now: 7 }]);
  expect(await readTime(moved, {})).toEqual([{ now: 67 }]);
});
