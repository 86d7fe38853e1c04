import type { Receipt } from '@changgu/sdk';
import { reads } from '../../command.ts';
import { listFirst, pageSizeFor } from '../../output/list-first.ts';
import { RECEIPT, statementRow } from './shapes.ts';

/** Receipts in the order of their numbers. */
export const list = reads<[options: { readonly limit: number }]>(RECEIPT, async (cli, options) => {
  const client = await cli.client('any');
  const { limit } = options;
  const receipts = client.receipts.each({ limit: pageSizeFor(limit) }, cli.call);
  return listFirst(cli, rows(receipts), RECEIPT, { limit });
});

async function* rows(receipts: AsyncIterable<Receipt>): AsyncGenerator<object> {
  for await (const { statement, receipt } of receipts)
    yield { ...statementRow(statement), receipt };
}
