import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/** Prepared statements per connection; texts beyond it are sent unprepared. */
const NAMED_STATEMENTS = 500;
const PREPARABLE = /^(select|insert|update|delete|with)\b/;

/** A pool that names each distinct statement, so that a connection parses and plans it once. */
export function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const adapted = new WeakMap<pg.PoolClient, pg.PoolClient>();

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= NAMED_STATEMENTS || !PREPARABLE.test(text)) {
      return known;
    }
    const name = `s${names.size + 1}`;
    names.set(text, name);
    return name;
  }

  function adapt(client: pg.PoolClient): pg.PoolClient {
    return new Proxy(client, {
      get(target, property) {
        if (property === 'query') {
          return (text: string, values: readonly unknown[]) =>
            target.query({ text, values: [...values], name: nameOf(text) });
        }
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
      const known = adapted.get(client) ?? adapt(client);
      adapted.set(client, known);
      return known;
    },
  };
}
