import type { Kysely, KyselyPlugin } from 'kysely';
import type { Database } from '../schema/tables.ts';

/** The same tables; after the answer to its nth statement `act` comes before whatever is asked next. */
export function betweenStatements(
  db: Kysely<Database>,
  act: (n: number) => Promise<void>,
): Kysely<Database> {
  let answered = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answered += 1;
      await act(answered);
      return result;
    },
  };
  return db.withPlugin(plugin);
}
