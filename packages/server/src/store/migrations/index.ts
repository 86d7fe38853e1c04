import type { Kysely } from 'kysely';
import type { Dialect } from '../script.ts';
import { up as jobs } from './0001-jobs.ts';
import { up as accountLinks } from './0002-account-links.ts';

export interface Migration {
  readonly name: string;
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>;
}

/** Forward only, in this order, never edited once released. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-jobs', up: jobs },
  { name: '0002-account-links', up: accountLinks },
];
