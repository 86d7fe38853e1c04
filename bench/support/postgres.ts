import {
  COLLATION,
  type RunningPostgres,
  runPostgres,
} from '../../packages/server/src/store/testing/run-postgres.ts';

/** A PostgreSQL that survives a power failure, as in production, or the one of CHANGGU_BENCH_POSTGRES_URL. */
export async function startPostgres(): Promise<RunningPostgres> {
  const given = process.env.CHANGGU_BENCH_POSTGRES_URL;
  return given ? { url: given, close: async () => {} } : runPostgres({ initdb: COLLATION });
}
