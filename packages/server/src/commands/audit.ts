import { readFileSync } from 'node:fs';
import { escapeControls } from '@changgu/contract/harmless-text';
import { Command, InvalidArgumentError } from 'commander';
import { readKnownHeads } from '../audit/known-heads.ts';
import type { NamedHead } from '../audit/verify-audit.ts';
import { DATA_DIR, type DataDir, type Opened, print, withCore } from './with-core.ts';

const LOOK_AGAIN_MS = 1_000;

/** Commands for the audit log of the whole service. */
export function auditCommand(): Command {
  const audit = new Command('audit').description('Verify and export the audit log');
  audit
    .command('verify')
    .description(
      'Recompute the hash chains. Prints their heads; exits with 1 and names the first broken record when a chain is broken',
    )
    .option(
      '--heads <file>',
      'what an earlier run printed: also detects that the end of a chain was cut off or all of it replaced',
      headsIn,
    )
    .option(...DATA_DIR)
    .action((options: DataDir & { heads?: readonly NamedHead[] }) =>
      withCore(options, (opened) => verify(opened, options.heads)),
    );
  audit
    .command('export')
    .description('Print sealed records in the order of their sealing, one line of JSON each')
    .option('--after <seq>', 'continue after the record with this seq', parseSeq, 0)
    .option('--follow', 'keep printing new records until interrupted')
    .option(...DATA_DIR)
    .action((options: DataDir & { after: number; follow?: true }) =>
      withCore(options, (opened) => exportSealed(opened, options)),
    );
  return audit;
}

async function verify({ core }: Opened, known: readonly NamedHead[] = []): Promise<void> {
  const { verifyAudit } = await import('../audit/verify-audit.ts');
  const verification = await verifyAudit(core.store, known);
  print(verification);
  if (verification.broken !== null) process.exitCode = 1;
}

/** @throws InvalidArgumentError, so that 1 stays the exit code of a broken chain */
function headsIn(file: string): readonly NamedHead[] {
  try {
    return readKnownHeads(readFileSync(file, 'utf8'));
  } catch (failure) {
    throw new InvalidArgumentError(failure instanceof Error ? failure.message : 'Not readable.');
  }
}

async function exportSealed(
  { core }: Opened,
  { after, follow }: { readonly after: number; readonly follow?: true },
): Promise<void> {
  const [{ exportChain }, { pause, realTimers }] = await Promise.all([
    import('../audit/export-chain.ts'),
    import('../timers.ts'),
  ]);
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => interrupted.abort());
  }
  const { signal } = interrupted;
  const wait = () =>
    pause(realTimers, LOOK_AGAIN_MS, signal).then(
      () => true,
      () => false,
    );
  for await (const line of exportChain(core.store, {
    after,
    ...(follow ? { follow: wait } : {}),
  })) {
    if (!process.stdout.write(escapeControls(line))) await drained();
  }
}

function drained(): Promise<void> {
  return new Promise((resolve) => process.stdout.once('drain', () => resolve()));
}

function parseSeq(text: string): number {
  const seq = Number(text);
  if (Number.isSafeInteger(seq) && seq >= 0) return seq;
  throw new InvalidArgumentError('must be the seq of a record, or 0.');
}
