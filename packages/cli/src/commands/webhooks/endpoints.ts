import type { EnvScope, WebhookDetails } from '@changgu/sdk';
import { reads, writes } from '../../command.ts';
import { DELETED, WEBHOOK, WITH_SECRET } from './shapes.ts';

export interface CreateOptions {
  readonly type: string[];
  readonly env?: EnvScope | undefined;
  readonly description?: string | undefined;
}

/** Creates an endpoint; its secret is the data, shown only once. */
export const create = writes<[url: string, options: CreateOptions]>(
  WITH_SECRET,
  async (cli, url, { type, env, description }) => {
    const client = await cli.client('any');
    const envScope = env ?? (await cli.settings()).envScope.value;
    // The service refuses an unknown type and names the known ones.
    const eventTypes = type as WebhookDetails['eventTypes'];
    const created = await client.webhooks.create(
      { url, eventTypes, envScope, ...(description === undefined ? {} : { description }) },
      cli.call,
    );
    await cli.output.item(created, WITH_SECRET);
    await cli.notes.warn(cli.texts.accounts.secretOnce);
    return undefined;
  },
);

export const list = reads<[]>(WEBHOOK, async (cli) => {
  const client = await cli.client('any');
  const { items } = await client.webhooks.list(cli.call);
  await cli.output.list(items, WEBHOOK);
  return undefined;
});

export const show = reads<[webhookId: string]>(WEBHOOK, async (cli, webhookId) => {
  const client = await cli.client('any');
  await cli.output.item(await client.webhooks.get(webhookId, cli.call), WEBHOOK);
  return undefined;
});

/** Replaces the secret; the new one is the data, shown only once. */
export const rotate = writes<
  [webhookId: string, options: { readonly overlap?: number | undefined }]
>(WITH_SECRET, async (cli, webhookId, { overlap }) => {
  const client = await cli.client('any');
  const body = overlap === undefined ? {} : { overlapHours: overlap };
  await cli.output.item(await client.webhooks.rotate(webhookId, body, cli.call), WITH_SECRET);
  await cli.notes.warn(cli.texts.accounts.secretOnce);
  return undefined;
});

export const remove = writes<[webhookId: string]>(DELETED, async (cli, webhookId) => {
  const client = await cli.client('any');
  await cli.confirm(async () => {
    const { url } = await client.webhooks.get(webhookId, cli.call);
    return cli.texts.webhooks.deleteAsk(url, webhookId);
  });
  await cli.output.item(await client.webhooks.delete(webhookId, cli.call), DELETED);
  return undefined;
});
