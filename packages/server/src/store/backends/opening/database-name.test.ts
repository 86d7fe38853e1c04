import { expect, it } from 'vitest';
import { databaseName } from './database-name.ts';

it.each([
  ['sqlite:/var/lib/changgu/changgu.db', 'SQLite file /var/lib/changgu/changgu.db'],
  [
    'postgres://keeper:hunter2@db.example:5433/jobs?sslmode=verify-full',
    'PostgreSQL database jobs at db.example:5433',
  ],
  [
    'postgres://keeper:hunter2@/jobs?host=/run/postgresql',
    'PostgreSQL database jobs at /run/postgresql:5432',
  ],
])('names the database of %s without user and password (D64)', async (url, name) => {
  expect(await databaseName(url)).toBe(name);
});
