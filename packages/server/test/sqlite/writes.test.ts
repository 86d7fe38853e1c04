import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/store/backends/migrate.ts';
import {
  connectionOf,
  SQLITE,
  type SqliteConnection,
} from '../../src/store/backends/sqlite-connection.ts';
import { runWrites } from '../../src/store/backends/sqlite-writes.ts';

const ADVANCE = { id: 1, group: 'clock', script: 'advance', input: { seconds: 10 } };
const TOUCH = { id: 2, group: 'clock', script: 'touch', input: undefined };
const REFUSED = { ...ADVANCE, input: { seconds: -1 } };

describe('writes that share a transaction', () => {
  let connection: SqliteConnection;
  beforeEach(async () => {
    const raw = new DatabaseSync(':memory:');
    connection = connectionOf(raw);
    await migrate(connection, SQLITE, true);
    raw.exec('begin immediate');
  });
  afterEach(() => connection.raw.close());

  const run = (call: typeof ADVANCE | typeof TOUCH) => runWrites(connection, [call], new Map());

  it('go on when one of them fails and is undone', async () => {
    expect(await run(ADVANCE)).toMatchObject([{ ok: true }]);
    expect(await run(REFUSED)).toMatchObject([{ ok: false }]);
    expect(connection.raw.isTransaction).toBe(true);
  });

  it('are all lost when the database rolled back by itself, as on a full disk', async () => {
    connection.raw.exec(`create temp trigger full before insert on settings
      when new.name = 'last_health_write' begin select raise(rollback, 'disk full'); end`);
    await run(ADVANCE);
    await expect(run(TOUCH)).rejects.toThrow('disk full');
  });

  it('are all lost when one of them fails and cannot be undone', async () => {
    const { raw } = connection;
    const broken = {
      ...connection,
      raw: Object.create(raw, {
        isTransaction: { value: true },
        exec: {
          value: () => {
            throw new Error('no undo');
          },
        },
      }),
    };
    await expect(runWrites(broken, [REFUSED], new Map())).rejects.toThrow('no undo');
  });
});
