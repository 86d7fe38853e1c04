import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBehindTheStore, transactionBehind } from '../testing/behind-the-store.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { draftInvoice, seedOrganization } from '../testing/seed.ts';
import { insertInvoice } from './invoices.ts';

describeStores('the number of an invoice', (stores) => {
  let db: ReturnType<typeof openBehindTheStore>;
  beforeAll(async () => {
    await stores.open();
    db = openBehindTheStore(await stores.url());
  });
  afterAll(() => db.destroy());

  it('is drawn again where chance gives one that is taken', async () => {
    const organizationId = await seedOrganization(stores);
    const tx = transactionBehind(db, stores.dialect);
    const drawn = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    const invoice = {
      ...draftInvoice(organizationId),
      createdAt: Date.parse('2026-11-27T12:00:00+09:00'),
    };
    const insert = () => insertInvoice(tx, invoice, () => drawn.shift() ?? 0);
    const [first, second] = [await insert(), await insert()];
    expect([first.invoice_number, second.invoice_number]).toEqual([
      'INV-202611-000000',
      'INV-202611-000001',
    ]);
  });
});
