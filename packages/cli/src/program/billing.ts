import type { Command } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

export function declareProducts(products: Command, { t, run, values }: Setup): void {
  products
    .command('list')
    .description(t({ ko: '상품 목록', en: 'list products' }))
    .option('-L, --limit <n>', t({ ko: '최대 건수', en: 'maximum rows' }), values.positive, 100)
    .action(run(async () => (await import('../commands/billing/products.ts')).list));
  products
    .command('get')
    .description(t({ ko: '상품 하나', en: 'one product' }))
    .argument('<product>', t({ ko: '상품 ID', en: 'product id' }))
    .action(run(async () => (await import('../commands/billing/products.ts')).get));
}

export function declareInvoices(invoices: Command, { t, run, values }: Setup): void {
  invoices
    .command('list')
    .description(t({ ko: '청구서 목록, 최근 것부터', en: 'list invoices, newest first' }))
    .option('-s, --status <states...>', t({ ko: '상태', en: 'states' }))
    .option('--subscription <id>', t({ ko: '구독', en: 'subscription' }), values.integer)
    .option('--organization <id>', t({ ko: '조직', en: 'organization' }), values.integer)
    .option('-L, --limit <n>', t({ ko: '최대 건수', en: 'maximum rows' }), values.positive, 20)
    .action(run(async () => (await import('../commands/billing/invoices.ts')).list));
  invoices
    .command('get')
    .description(t({ ko: '청구서 하나', en: 'one invoice' }))
    .argument('<invoice>', t({ ko: '청구서 ID', en: 'invoice id' }))
    .action(run(async () => (await import('../commands/billing/invoices.ts')).get));
}
