import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Changgu, Receipt } from '@changgu/sdk';
import type { WritingCli } from '../../cli.ts';
import { writes } from '../../command.ts';
import { isMissing } from '../../config/private-file.ts';
import { onFile } from '../../file-error.ts';
import { RECEIPT_FILE, statementRow } from './shapes.ts';

/** Where `verify` looks for the keys. */
export const KEYS_FILE = 'receipt-keys.json';

const PAGE_SIZE = 100;

/** Saves receipts that are not in the directory yet, and the keys that verify them. */
export const download = writes<[jobIds: string[], options: { readonly to?: string | undefined }]>(
  RECEIPT_FILE,
  async (cli, jobIds, { to = '.' }) => {
    const folder = resolve(cli.io.cwd, to);
    const client = await cli.client('any');
    await save(cli, join(folder, KEYS_FILE), async () =>
      JSON.stringify(await client.receipts.keys(cli.call), null, 2),
    );
    await cli.output.list(savedIn(cli, folder, receiptsOf(cli, client, jobIds)), RECEIPT_FILE);
    return undefined;
  },
);

async function* receiptsOf(cli: WritingCli, { receipts }: Changgu, jobIds: readonly string[]) {
  if (jobIds.length === 0) yield* receipts.each({ limit: PAGE_SIZE }, cli.call);
  for (const jobId of jobIds) yield await receipts.get(jobId, cli.call);
}

async function* savedIn(cli: WritingCli, folder: string, receipts: AsyncIterable<Receipt>) {
  for await (const { receipt, statement } of receipts) {
    const { envScope, number, jobId } = statement;
    const name = `${envScope}_${String(number).padStart(8, '0')}_${jobId}.jws`;
    const file = join(folder, name);
    // A receipt never changes.
    if (await isThere(file)) continue;
    await save(cli, file, async () => receipt);
    yield { file, ...statementRow(statement) };
  }
}

async function save(cli: WritingCli, file: string, text: () => Promise<string>): Promise<void> {
  await cli.change({ writes: file }, async () => {
    const folder = dirname(file);
    await onFile(folder, () => mkdir(folder, { recursive: true }));
    const whole = `${await text()}\n`;
    await onFile(file, () => writeWhole(file, whole));
  });
}

/** Whole or not at all: what is there is not downloaded again. */
async function writeWhole(file: string, text: string): Promise<void> {
  const part = `${file}.${crypto.randomUUID()}.part`;
  try {
    await writeFile(part, text, { flag: 'wx' });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
