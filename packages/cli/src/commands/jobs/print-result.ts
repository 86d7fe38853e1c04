import type { JobResult } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { isJson } from '../../output/format.ts';
import type { Shape } from '../../output/output.ts';

const RESULT: Shape = { columns: ['job_id'], id: 'job_id' };
/** Names inside data belong to the institution. */
const PAIRS: Shape = { columns: ['name', 'value'], id: 'name', asIs: true };

type Row = Readonly<Record<string, unknown>>;

/** A result: whole as JSON; for people and pipes, its rows where it has some, else its values. */
export async function printResult(cli: Cli, result: JobResult): Promise<void> {
  const { output, notes, texts } = cli;
  const { jobId, artifacts, data } = result;
  if (isJson(output.format) || output.format === 'id') return output.item(result, RESULT);
  const { facts, rows } = splitRows({ ...data });
  if (output.format === 'tsv') {
    await output.list(rows ?? pairsOf(facts), rows ? shapeOf(rows) : PAIRS);
  } else {
    if (Object.keys(facts).length > 0)
      await output.item(facts, { ...shapeOf([facts]), asIs: true });
    if (rows) {
      await output.text('\n');
      await output.list(rows, shapeOf(rows));
    }
  }
  if (artifacts.length === 0) return;
  await notes.next(texts.jobs.files(artifacts.length), [`changgu artifacts download ${jobId}`]);
}

/** The first list of objects is the rows; the rest are facts about them. */
function splitRows(data: Row): { facts: Row; rows: readonly Row[] | null } {
  const list = Object.entries(data).find(([, value]) => isRows(value));
  if (!list) return { facts: data, rows: null };
  const { [list[0]]: rows, ...facts } = data;
  return { facts, rows: isRows(rows) ? rows : null };
}

function isRows(value: unknown): value is readonly Row[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
  );
}

function pairsOf(facts: Row): Row[] {
  return Object.entries(facts).map(([name, value]) => ({ name, value }));
}

function shapeOf(rows: readonly Row[]): Shape {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns, id: columns[0] ?? '', asIs: true };
}
