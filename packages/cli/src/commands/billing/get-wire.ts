import type { Cli } from '../../cli.ts';
import type { Shape } from '../../output/shape.ts';

export interface WireItem {
  readonly path: string;
  readonly as: 'client' | 'console';
  readonly shape: Shape;
}

/** Reads what has a path on the wire. */
export async function getWire(cli: Cli, { path, as, shape }: WireItem): Promise<undefined> {
  const client = await cli.client('any');
  const { body } = await client.request({ method: 'GET', path, as }, cli.call);
  await cli.output.item({ ...Object(body) }, shape);
}
