import { escapeControls } from '@changgu/contract/harmless-text';
import { loadJq } from 'jq-wasm';
import { CliError, usageError } from '../cli-error.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine } from '../terminal-text.ts';
import type { Texts } from '../texts/ko.ts';

/** Applies an expression of jq to a JSON value; strings come out as they are, all else as JSON, a line each. */
export type Filter = (value: unknown, style: { readonly pretty: boolean }) => Promise<string>;

const COMPILE_ERROR = 3;

/** @throws usage error when the filter is not valid jq */
export async function compileFilter(query: string, { output }: Texts): Promise<Filter> {
  const jq = await loadJq();
  const tried = jq.raw('null', query);
  if (tried.exitCode === COMPILE_ERROR) throw usageError(output.wrongJq(reason(tried.stderr)));
  return async (value, { pretty }) => {
    const flags = pretty ? [] : ['-c'];
    const { stdout, stderr, exitCode } = jq.raw(JSON.stringify(value), query, flags);
    // The expression itself was checked before anything was sent.
    if (exitCode !== 0) {
      throw new CliError('JQ_FAILED', output.wrongJq(reason(stderr)), EXIT.failed);
    }
    const lines = stdout.split('\n').map(shown);
    return stdout.endsWith('\n') || stdout === '' ? lines.join('\n') : `${lines.join('\n')}\n`;
  };
}

/** Only a text that is a result by itself begins its line; those inside of others are indented or come after a name. */
function shown(line: string): string {
  if (!line.startsWith('"')) return escapeControls(line);
  return String(JSON.parse(line)).split('\n').map(safeCells).join('\n');
}

/** A tab moves the cursor no further than a table does, and separates the values of @tsv. */
function safeCells(line: string): string {
  return line.split('\t').map(safeLine).join('\t');
}

function reason(stderr: string): string {
  return (
    stderr
      .split('\n')[0]
      ?.replace(/^jq: error:? ?/, '')
      .trim() ?? ''
  );
}
