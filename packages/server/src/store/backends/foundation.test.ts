import pg from 'pg';
import { expect, it } from 'vitest';
import { openStore } from '../database.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { clientConfig } from './postgres-connections.ts';

/** Columns of each database that was looked at. */
const schemas: string[][] = [];

describeStores('store', (stores) => {
  it('moves business time for every process by the test clock, and never real time (D133)', async () => {
    const here = await stores.open();
    const there = await stores.open();
    const before = await here.clock.now();
    const changed = new Promise<void>((resolve) => {
      there.onSignal((signal) => {
        if (signal.kind === 'changed') resolve();
      });
    });
    await here.clock.advance({ seconds: 86_400 });
    await changed;
    expect((await there.clock.now()) - before).toBeGreaterThanOrEqual(86_400_000);
    expect((await there.clock.realNow()) - before).toBeLessThan(60_000);
  });

  it('two processes may open an empty database at once', async () => {
    const opened = await Promise.all([stores.open(), stores.open(), stores.open()]);
    const answers = await Promise.all(opened.map((store) => store.clock.realNow()));
    expect(answers.every((now) => now > 0)).toBe(true);
  });

  it('carries an error out of a script and continues', async () => {
    const store = await stores.open();
    const failing = store.clock.advance({ seconds: -1 });
    const passing = store.clock.advance({ seconds: 1 });
    await expect(failing).rejects.toThrow('only goes forward');
    await expect(passing).resolves.toBeGreaterThan(0);
  });

  it('answers whoever asks while it collects its garbage', async () => {
    const store = await stores.open();
    const asked = store.clock.realNow();
    store.collectGarbage();
    const answers = await Promise.all([asked, store.clock.realNow(), store.clock.touch()]);
    expect(answers).toEqual([expect.any(Number), expect.any(Number), undefined]);
  });

  it.runIf(stores.dialect === 'sqlite')(
    'fails the writes that the database itself rolled back, and only those',
    async () => {
      const store = await stores.open();
      // As a full disk does: the whole transaction is gone, and not only the statement.
      await stores.execute(`create trigger full before insert on settings
        when new.name = 'last_health_write' begin select raise(rollback, 'disk full'); end`);
      const before = await store.clock.now();
      const day = 86_400;
      const answers = await Promise.allSettled([
        store.clock.advance({ seconds: 10 * day }),
        store.clock.touch(),
        store.clock.advance({ seconds: day }),
      ]);
      const [first, ...others] = answers.map(({ status }) => status);
      expect(others).toEqual(['rejected', 'fulfilled']);
      const days = ((await store.clock.now()) - before) / (day * 1_000);
      // On a busy machine the first may be committed before the second begins.
      expect(Math.floor(days)).toBe(first === 'rejected' ? 1 : 11);
      await expect(store.pingWrites()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await expect(store.ping()).resolves.toBeGreaterThan(0);
      await stores.execute('drop trigger full');
      await expect(store.clock.touch()).resolves.toBeUndefined();
    },
  );

  it.runIf(stores.dialect === 'postgres')(
    'keeps its isolation level, whatever the database has as its default',
    async () => {
      await stores.open();
      const database = new URL(await stores.url()).pathname.slice(1);
      await stores.execute(
        `alter database "${database}" set default_transaction_isolation = 'serializable'`,
      );
      const client = new pg.Client(clientConfig(await stores.url(), 1_000));
      await client.connect();
      const { rows } = await client.query('show transaction_isolation');
      await client.end();
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
    },
  );

  it.runIf(stores.dialect === 'postgres')(
    'keeps room on the pages of the rows that change most, and has them vacuumed early',
    async () => {
      await stores.open();
      const rows = await stores.execute(
        "select relname, reloptions from pg_class where relname in ('jobs', 'usage') order by relname",
      );
      const [jobs = [], usage = []] = rows.map(({ reloptions }) => reloptions);
      const vacuumed = ['autovacuum_vacuum_scale_factor=0', 'autovacuum_vacuum_threshold=5000'];
      expect(jobs).toEqual(expect.arrayContaining(['fillfactor=70', ...vacuumed]));
      expect(usage).toEqual(
        expect.arrayContaining(['fillfactor=50', 'autovacuum_vacuum_threshold=500']),
      );
    },
  );

  it.runIf(stores.dialect === 'postgres' && !process.env.CHANGGU_TEST_POSTGRES_URL)(
    'is tried on a database that sorts as people do, not by bytes',
    async () => {
      await stores.open();
      const [order] = await stores.execute("select 'a' < 'B' as letters, 'a;' < 'a:' as marks");
      expect(order).toEqual({ letters: true, marks: true });
    },
  );

  it.runIf(stores.dialect === 'sqlite')('turns writes away while 2,000 wait', async () => {
    const store = await stores.open();
    const writes = await Promise.allSettled(Array.from({ length: 2_001 }, store.clock.touch));
    const refused = writes.flatMap((write, n) => (write.status === 'rejected' ? [n] : []));
    expect(refused).toEqual([2_000]);
    expect(writes.at(-1)).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it('keeps one schema, whichever database holds it (D132)', async () => {
    await stores.open();
    const columns =
      stores.dialect === 'sqlite'
        ? `select tables.name as t, columns.name as c from sqlite_master as tables,
             pragma_table_info(tables.name) as columns where tables.type = 'table'`
        : `select table_name as t, column_name as c from information_schema.columns
             where table_schema = 'public'`;
    const rows = await stores.execute(columns);
    const names = rows.map(({ t, c }) => [t, c].join('.')).toSorted();
    schemas.push(names.filter((name) => !name.startsWith('sqlite_')));
    expect(names).toContain('jobs.identity_hash');
    expect(schemas.at(-1)).toEqual(schemas[0]);
  });

  it.runIf(stores.dialect === 'postgres')(
    'refuses a database that would lose what it answered (D132)',
    async () => {
      const url = new URL(await stores.url());
      url.searchParams.set('options', '-c synchronous_commit=off');
      await expect(openStore({ url: url.href })).rejects.toThrow('could lose accepted jobs');
    },
  );

  it('answers SERVICE_UNAVAILABLE once it is closed', async () => {
    const store = await stores.open();
    await store.close();
    await expect(store.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
