import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { POSTGRES } from '../backends/postgres-dialect.ts';
import { openSqliteConnection, SQLITE } from '../backends/sqlite-connection.ts';

it.each([POSTGRES, SQLITE])('asks for one or many values with the same text: $name', (dialect) => {
  const { raw, db } = openSqliteConnection(':memory:', 'lookup');
  const textFor = (values: readonly string[]) =>
    sql`select ${dialect.isOneOf('id', values, 'text')}`.compile(db).sql;
  expect(textFor(['a', 'b', 'c'])).toBe(textFor(['a']));
  raw.close();
});
