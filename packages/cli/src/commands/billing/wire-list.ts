import type { Cli } from '../../cli.ts';
import type { Shape } from '../../output/shape.ts';

export interface WireList {
  readonly path: string;
  readonly as: 'client' | 'console';
  readonly query?: Readonly<Record<string, unknown>>;
  readonly limit: number;
  readonly shape: Shape;
}

/** Lists what has a path on the wire and pages of `{items, next_cursor}`. */
export async function listWire(cli: Cli, list: WireList): Promise<undefined> {
  const client = await cli.client('any');
  const more = { seen: false };
  async function* rows(): AsyncGenerator<object> {
    let left = list.limit;
    for (let cursor: unknown; ; ) {
      const { path, as } = list;
      const query = { ...list.query, cursor };
      const { body } = await client.request({ method: 'GET', path, as, query }, cli.call);
      const { items, next_cursor: next } = pageOf(body);
      yield* items.slice(0, left);
      more.seen = items.length > left || (items.length === left && Boolean(next));
      left -= items.length;
      if (left <= 0 || next === null || next === undefined || next === cursor) return;
      cursor = next;
    }
  }
  await cli.output.list(rows(), list.shape);
  if (more.seen) await cli.notes.info(cli.texts.output.more(list.limit, '--limit'));
}

/** Reads one such thing. */
export async function getWire(
  cli: Cli,
  { path, as, shape }: Pick<WireList, 'path' | 'as' | 'shape'>,
): Promise<undefined> {
  const client = await cli.client('any');
  const { body } = await client.request({ method: 'GET', path, as }, cli.call);
  await cli.output.item({ ...Object(body) }, shape);
}

function pageOf(body: unknown): { items: readonly object[]; next_cursor?: unknown } {
  const page: { items?: unknown; next_cursor?: unknown } = Object(body);
  return { items: Array.isArray(page.items) ? page.items : [], next_cursor: page.next_cursor };
}
