import { dirname, join } from 'node:path';
import { type ReceiptKeys, toWireCase, verifyReceipts } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { CliError, usageError } from '../../cli-error.ts';
import { reads } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { InputReader } from '../../input/read-input.ts';
import { KEYS_FILE } from './download.ts';
import { CHECKED, statementRow } from './shapes.ts';

/** Verifies receipts and that none is missing between them. Works offline. */
export const verify = reads<[files: string[], options: { readonly keys?: string | undefined }]>(
  CHECKED,
  async (cli, files, { keys = join(dirname(files[0] ?? '.'), KEYS_FILE) }) => {
    const input = new InputReader(cli.io, cli.texts);
    const receipts: string[] = [];
    for (const file of files) receipts.push(await input.text(file, '<file>'));
    const known = await keysIn(cli, input, keys);
    const report = await verifyReceipts(receipts, known);
    const rows = report.receipts.map(({ statement, fault }, index) => ({
      file: files[index],
      fault,
      ...(statement === null ? NOTHING_READ : statementRow(statement)),
    }));
    await cli.output.list(rows, CHECKED);
    if (report.valid) return undefined;
    const faulty = rows.filter(({ fault }) => fault !== null).length;
    const gaps = report.missing.map(({ envScope, from, to }) =>
      from === to ? `${envScope} ${from}` : `${envScope} ${from}–${to}`,
    );
    throw new CliError(
      'RECEIPTS_NOT_VERIFIED',
      cli.texts.receipts.notVerified(faulty, gaps.join(', ')),
      EXIT.failed,
      [],
      { faulty, missing: toWireCase(report.missing) },
    );
  },
);

const NOTHING_READ = {
  number: null,
  jobId: null,
  action: null,
  status: null,
  hadEffect: null,
  finishedAt: null,
};

async function keysIn(cli: Cli, input: InputReader, file: string): Promise<ReceiptKeys> {
  const { keys } = await input.jsonObject(`@${file}`, '--keys');
  if (!Array.isArray(keys)) throw usageError(cli.texts.receipts.noKeys(file));
  return { keys };
}
