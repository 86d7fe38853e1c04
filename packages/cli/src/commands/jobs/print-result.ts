import type { JobResult } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { isJson } from '../../output/format.ts';
import {
  actionOf,
  layoutOf,
  layoutOfData,
  PAIRS,
  RESULT,
  type Row,
  rowsShape,
} from './result-layout.ts';

/** A result: whole as JSON; for people and pipes, its rows where it has some, else its values. */
export async function printResult(cli: Cli, result: JobResult): Promise<void> {
  const { output, notes, texts } = cli;
  if (isJson(output.format) || output.format === 'id') return output.item(result, RESULT);
  await printData(cli, result);
  const { artifacts, jobId } = result;
  if (artifacts.length === 0) return;
  await notes.next(texts.jobs.files(artifacts.length), [`changgu artifacts download ${jobId}`]);
}

async function printData({ output }: Cli, result: JobResult): Promise<void> {
  const data: Row = { ...result.data };
  const known = result.sandbox ? null : await layoutOf(actionOf(result));
  const { rows: name, columns } = known ?? layoutOfData(data);
  const facts = Object.fromEntries(Object.entries(data).filter(([key]) => key !== name));
  const rows = name === null ? null : rowsOf(data[name]);
  if (output.format !== 'table') {
    return rows ? output.list(rows, rowsShape(columns)) : output.list(pairsOf(facts), PAIRS);
  }
  if (!output.hasFields && Object.keys(facts).length > 0) {
    await output.item(facts, { ...rowsShape(Object.keys(facts)), asIs: true });
  }
  if (!rows) return;
  if (!output.hasFields) await output.text('\n');
  await output.list(rows, rowsShape(columns));
}

function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value : [];
}

function pairsOf(facts: Row): Row[] {
  return Object.entries(facts).map(([name, value]) => ({ name, value }));
}
