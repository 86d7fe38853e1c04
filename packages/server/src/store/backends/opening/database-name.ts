import { resolve } from 'node:path';

/** Which database a URL leads to, with neither user nor password. */
export async function databaseName(url: string): Promise<string> {
  if (url.startsWith('sqlite:')) return `SQLite file ${resolve(url.slice('sqlite:'.length))}`;
  const { default: pg } = await import('pg');
  const { database, host, port } = new pg.Client(url);
  return `PostgreSQL database ${database} at ${host}:${port}`;
}
