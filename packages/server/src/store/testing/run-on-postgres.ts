import type { SQLInputValue } from 'node:sqlite';
import pg from 'pg';

export type TestRow = Readonly<Record<string, unknown>>;

/** Runs one statement, with `?` for values, on a connection of its own. */
export async function runOnPostgres(
  url: string,
  statement: string,
  values: readonly SQLInputValue[] = [],
): Promise<readonly TestRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await queryPostgres(client, statement, values);
  } finally {
    await client.end();
  }
}

/** The same on an open connection, or on one of a pool. */
export async function queryPostgres(
  connection: pg.Client | pg.Pool,
  statement: string,
  values: readonly SQLInputValue[],
): Promise<readonly TestRow[]> {
  let position = 0;
  const numbered = statement.replace(/\?/g, () => {
    position += 1;
    return `$${position}`;
  });
  const { rows } = await connection.query<TestRow>(numbered, [...values]);
  return rows;
}
