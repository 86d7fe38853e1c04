import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly numeric?: boolean;
  /** Of tables below each other, so that their columns stand below each other too. */
  readonly width?: string;
  /** The column needs no visible title; the title is for screen readers. */
  readonly isTitleHidden?: boolean;
  /** A control instead of the title, with its own label. */
  readonly heading?: ComponentChildren;
  /** The row's heading for screen readers. */
  readonly isHeading?: boolean;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}

/** On a narrow screen each row becomes a card that labels its cells. */
export function Table<Row>({ caption, columns, rows, keyOf }: Props<Row>) {
  return (
    <div class="table">
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, numeric, width, isTitleHidden, heading }) => (
              <th
                key={title}
                scope="col"
                class={numeric ? 'numeric' : undefined}
                style={width === undefined ? undefined : { width }}
              >
                {heading ?? (isTitleHidden ? <span class="visually-hidden">{title}</span> : title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <Cell key={column.title} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const { title, numeric, isHeading, isTitleHidden, cell } = column;
  const attributes = {
    class: numeric ? 'numeric' : undefined,
    'data-title': isTitleHidden ? '' : title,
  };
  return isHeading ? (
    <th scope="row" {...attributes}>
      {cell(row)}
    </th>
  ) : (
    <td {...attributes}>{cell(row)}</td>
  );
}
