import type { Invoice } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { date, won } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { billingTexts } from './billing-texts.ts';
import { InvoiceDetails } from './invoice-details.tsx';

const TONES: Readonly<Partial<Record<Invoice['status'], Tone>>> = {
  OPEN: 'busy',
  PAID: 'good',
  UNCOLLECTIBLE: 'bad',
};
const PAGE_SIZE = 20;
/** Years of monthly invoices. */
const MAX_SHOWN = 100;

export function Invoices() {
  const words = billingTexts();
  const limit = useSignal(PAGE_SIZE);
  const invoices = useResource(
    environment.value,
    (signal) => call('listInvoices', { query: { limit: limit.value }, signal }),
    { version: limit.value },
  );
  return (
    <Section title={words.invoices}>
      <Loaded of={invoices}>
        {({ items, next_cursor: cursor }) => (
          <>
            {items.length === 0 ? (
              <Empty title={words.noInvoices} />
            ) : (
              <InvoiceTable invoices={items} />
            )}
            <More
              isThere={cursor !== null && limit.value < MAX_SHOWN}
              isLoading={invoices.isLoading}
              onMore={() => (limit.value = MAX_SHOWN)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function InvoiceTable({ invoices }: { readonly invoices: readonly Invoice[] }) {
  const words = billingTexts();
  const shown = useSignal<Invoice | null>(null);
  return (
    <>
      <Table
        caption={words.invoices}
        rows={invoices}
        keyOf={({ invoice_id: id }) => id}
        columns={[
          { title: words.number, isHeading: true, cell: ({ invoice_number: number }) => number },
          {
            title: words.state,
            cell: ({ status }) => (
              <Badge tone={TONES[status] ?? 'idle'}>{words.states[status]}</Badge>
            ),
          },
          { title: words.issued, cell: ({ issued_at: at }) => date(at) },
          { title: words.due, cell: ({ due_at: at }) => date(at) },
          {
            title: words.total,
            numeric: true,
            cell: ({ total_amount_minor: amount }) => won(amount),
          },
          {
            title: common().actions,
            isTitleHidden: true,
            cell: (invoice) => (
              <Button
                look="quiet"
                label={`${words.openInvoice}: ${invoice.invoice_number}`}
                onClick={() => (shown.value = invoice)}
              >
                {words.openInvoice}
              </Button>
            ),
          },
        ]}
      />
      {shown.value === null ? null : (
        <InvoiceDetails invoice={shown.value} onClose={() => (shown.value = null)} />
      )}
    </>
  );
}
