import type { SQLInputValue } from 'node:sqlite';
import pg from 'pg';

export type TestRow = Readonly<Record<string, unknown>>;

/** Runs one statement, with `?` for values. */
export async function runOnPostgres(
  url: string,
  statement: string,
  values: readonly SQLInputValue[] = [],
): Promise<readonly TestRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let position = 0;
    const numbered = statement.replace(/\?/g, () => {
      position += 1;
      return `$${position}`;
    });
    const { rows } = await client.query<TestRow>(numbered, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}
