import { reads } from '../../command.ts';
import { RECEIPT, statementRow } from './shapes.ts';

/** Receipts in the order of their numbers. */
export const list = reads<[options: { readonly limit: number }]>(RECEIPT, async (cli, options) => {
  const client = await cli.client('any');
  const { items } = await client.receipts.list({ limit: options.limit }, cli.call);
  const rows = items.map(({ statement, receipt }) => ({ ...statementRow(statement), receipt }));
  await cli.output.list(rows, RECEIPT);
  return undefined;
});
