import { operations } from '@changgu/contract/schemas';
import {
  listReceipts,
  type ReceiptDependencies,
  readReceipt,
  receiptJwks,
} from '../../receipts/read-receipts.ts';
import { jobAccess } from '../../requests/access.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

const { receipts } = operations;

/** Signed receipts, and the keys that verify them. */
export function receiptRoutes(app: HttpApp, dependencies: ReceiptDependencies): void {
  route(app, receipts.readReceipt, async ({ principal, envScope, params }) => ({
    status: 200,
    body: await readReceipt(dependencies, jobAccess(principal, envScope), params.job_id),
  }));

  route(app, receipts.listReceipts, async ({ principal, envScope, query }) => ({
    status: 200,
    body: await listReceipts(dependencies, jobAccess(principal, envScope), query),
  }));

  route(app, receipts.readReceiptKeys, async () => ({
    status: 200,
    body: await receiptJwks(dependencies),
    headers: { 'cache-control': 'public, max-age=300' },
  }));
}
