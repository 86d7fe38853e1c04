import type { Cli } from '../../cli.ts';
import { listFirst } from '../../output/list-first.ts';
import type { Shape } from '../../output/shape.ts';

export interface WireList {
  readonly path: string;
  readonly as: 'client' | 'console';
  readonly query?: Readonly<Record<string, unknown>>;
  readonly limit: number;
  readonly shape: Shape;
}

/** Lists what has a path on the wire and pages of `{items, next_cursor}`. */
export async function listWire(
  cli: Cli,
  { path, as, query, limit, shape }: WireList,
): Promise<undefined> {
  const client = await cli.client('any');
  async function* rows(): AsyncGenerator<object> {
    for (let cursor: unknown; ; ) {
      const request = { method: 'GET', path, as, query: { ...query, cursor } } as const;
      const { items, next_cursor: next } = pageOf((await client.request(request, cli.call)).body);
      yield* items;
      if (next === null || next === undefined || next === cursor) return;
      cursor = next;
    }
  }
  return listFirst(cli, rows(), shape, { limit });
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
