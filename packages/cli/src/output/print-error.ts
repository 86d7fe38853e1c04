import { escapeControls } from '@changgu/contract/harmless-text';
import { type OutputStream, tell } from '../io.ts';
import { safeLine } from '../terminal-text.ts';
import type { Texts } from '../texts/ko.ts';
import type { ErrorReport } from './error-report.ts';
import type { Style } from './style.ts';

export interface PrintErrorOptions {
  readonly json: boolean;
  /** The user asked to stop, which is not an error. */
  readonly stopped: boolean;
  readonly texts: Texts;
  readonly style: Style;
}

/** Reports an error on stderr: what failed, what is known, what to do next. */
export async function printError(
  stderr: OutputStream,
  report: ErrorReport,
  options: PrintErrorOptions,
): Promise<void> {
  await tell(stderr, options.json ? asJson(report) : await asText(report, options));
}

function asJson({ code, message, exitCode, facts, hints }: ErrorReport): string {
  const error = { code, message, exit_code: exitCode, ...facts, hints };
  return `${escapeControls(JSON.stringify({ error }))}\n`;
}

async function asText(
  { code, message, facts, hints }: ErrorReport,
  { texts, style, stopped }: PrintErrorOptions,
): Promise<string> {
  // The service's own code is the one that its documentation explains.
  const said = facts.status === undefined ? message : `${message} (${code})`;
  const title = stopped ? '' : `${style('red', `${texts.error}:`)} `;
  const lines = [`${title}${safeLine(said)}`];
  if (Array.isArray(facts.fields)) {
    for (const { loc, msg } of facts.fields) {
      const words = await texts.fieldMessage(String(msg));
      lines.push(`  ${safeLine(`${loc.join('.')}: ${words}`)}`);
    }
  }
  const { trace_id: traceId } = facts;
  if (typeof traceId === 'string') lines.push(style('dim', `  trace_id ${safeLine(traceId)}`));
  for (const hint of hints) lines.push(`  ${safeLine(hint)}`);
  return `${lines.join('\n')}\n`;
}
