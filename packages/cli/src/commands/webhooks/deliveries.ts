import { missingArgument, usageError } from '../../cli-error.ts';
import { reads, writes } from '../../command.ts';
import { listFirst, pageSizeFor } from '../../output/list-first.ts';
import { DELIVERY, REPLAY } from './shapes.ts';

export const test = writes<[webhookId: string]>(DELIVERY, async (cli, webhookId) => {
  const client = await cli.client('any');
  await cli.output.item(await client.webhooks.test(webhookId, cli.call), DELIVERY);
  return undefined;
});

export const deliveries = reads<[webhookId: string, options: { readonly limit: number }]>(
  DELIVERY,
  async (cli, webhookId, { limit }) => {
    const client = await cli.client('any');
    const page = { limit: pageSizeFor(limit) };
    const sent = client.webhooks.eachDelivery(webhookId, page, cli.call);
    return listFirst(cli, sent, DELIVERY, { limit });
  },
);

export interface ReplayOptions {
  /** Milliseconds since the epoch, both. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Sends one delivery again, or all events of a period. */
export const replay = writes<
  [webhookId: string, deliveryId: string | undefined, options: ReplayOptions]
>(
  (_, __, deliveryId) => (deliveryId === undefined ? REPLAY : DELIVERY),
  async (cli, webhookId, deliveryId, { from, to }) => {
    const client = await cli.client('any');
    const { deliveryOrTime } = cli.texts.webhooks;
    if (deliveryId === undefined && from === undefined) {
      throw missingArgument('delivery', deliveryOrTime);
    }
    if (deliveryId !== undefined && from !== undefined) throw usageError(deliveryOrTime);
    if (deliveryId !== undefined) {
      const sent = await client.webhooks.replayDelivery(webhookId, deliveryId, cli.call);
      await cli.output.item(sent, DELIVERY);
    } else if (from !== undefined) {
      const range = { from: timeOf(from), to: timeOf(to ?? cli.now()) };
      await cli.output.item(await client.webhooks.replay(webhookId, range, cli.call), REPLAY);
    }
    return undefined;
  },
);

const timeOf = (ms: number) => new Date(ms).toISOString();
