import { count } from '../../app/format.ts';
import { visibleText } from '../../app/visible-text.ts';
import { Button } from '../../components/button.tsx';
import { Code } from '../../components/code.tsx';
import { Facts } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { saveCsv } from './csv.ts';
import { jobTexts } from './job-texts.ts';
import { masked } from './masked.ts';
import { plainText, type Row, splitResult } from './result-rows.ts';
import { titlesOf } from './result-titles.ts';

const SHOWN_ROWS = 200;

interface Props {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Totals as facts, the longest list as a table. Everything is text: nothing from an institution becomes markup. */
export function ResultData({ name, data }: Props) {
  const words = jobTexts();
  if (data === null) return <p class="faint">{words.noData}</p>;
  const { facts, nested, rows, columns } = splitResult(data);
  const factTitles = titlesOf(facts.map(([key]) => key));
  const nestedTitles = titlesOf(nested.map(([key]) => key));
  return (
    <>
      <Facts
        of={facts.map(([key, value], n) => [factTitles[n] ?? key, plainText(key, value)] as const)}
      />
      {rows.length === 0 ? null : (
        <>
          <div class="row">
            <strong>{words.rows(count(rows.length))}</strong>
            <Button onClick={() => saveCsv(name, columns, rows)}>{words.csv}</Button>
          </div>
          {rows.length > SHOWN_ROWS ? (
            <p class="faint">{words.firstRows(count(SHOWN_ROWS), count(rows.length))}</p>
          ) : null}
          <RowTable columns={columns} rows={rows.slice(0, SHOWN_ROWS)} />
        </>
      )}
      {nested.map(([key, value], n) => (
        <div key={key} class="stack">
          <h3>{nestedTitles[n]}</h3>
          <Code
            label={nestedTitles[n] ?? key}
            text={visibleText(JSON.stringify(masked(key, value), null, 2))}
          />
        </div>
      ))}
    </>
  );
}

function RowTable({
  columns,
  rows,
}: {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}) {
  const titles = titlesOf(columns);
  return (
    <Table
      caption={jobTexts().result}
      columns={columns.map((column, n) => ({
        title: titles[n] ?? column,
        numeric: rows.every((row) => typeof row[column] === 'number'),
        cell: (row: Row) => plainText(column, row[column]),
      }))}
      rows={rows}
      keyOf={(row) => rows.indexOf(row)}
    />
  );
}
