import type { Invoice } from '@changgu/contract';
import { count, date, won } from '../../app/format.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { billingTexts } from './billing-texts.ts';

interface Props {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}

export function InvoiceDetails({ invoice, onClose }: Props) {
  const words = billingTexts();
  const period =
    invoice.period_start === null
      ? '–'
      : `${date(invoice.period_start)} – ${date(invoice.period_end)}`;
  return (
    <Dialog wide title={invoice.invoice_number} onClose={onClose}>
      <Facts
        of={[
          [words.state, words.states[invoice.status]],
          [words.period, period],
          [words.issued, date(invoice.issued_at)],
          [words.due, date(invoice.due_at)],
          [words.paid, date(invoice.paid_at)],
        ]}
      />
      <Table
        caption={words.items}
        rows={invoice.items}
        keyOf={({ invoice_item_id: id }) => id}
        columns={[
          { title: words.items, isHeading: true, cell: ({ description }) => description },
          { title: words.kind, cell: ({ item_kind: kind }) => words.kinds[kind] },
          { title: words.quantity, numeric: true, cell: ({ quantity }) => count(quantity) },
          {
            title: words.unit,
            numeric: true,
            cell: ({ unit_amount_minor: amount }) => won(amount),
          },
          {
            title: words.amount,
            numeric: true,
            cell: ({ item_kind: kind, amount_minor: amount }) =>
              won(kind === 'DISCOUNT' ? -amount : amount),
          },
        ]}
      />
      <Facts
        of={[
          [words.subtotal, won(invoice.subtotal_amount_minor)],
          [words.tax, won(invoice.tax_amount_minor)],
          [words.total, <strong key="total">{won(invoice.total_amount_minor)}</strong>],
        ]}
      />
    </Dialog>
  );
}
