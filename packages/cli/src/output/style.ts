import { styleText } from 'node:util';
import type { Io, OutputStream } from '../io.ts';

export type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

/** Colors for one stream: NO_COLOR, FORCE_COLOR, TERM=dumb and --no-color decide, then whether it is a terminal. */
export function styleFor(stream: OutputStream, env: Io['env'], allowed: boolean): Style {
  return isColored(stream, env, allowed)
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_, text) => text;
}

function isColored(stream: OutputStream, env: Io['env'], allowed: boolean): boolean {
  if (!allowed || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !/^(0|false)$/.test(env.FORCE_COLOR);
  return stream.isTTY === true && env.TERM !== 'dumb';
}

const STATUS_COLORS: Readonly<Record<string, 'green' | 'red' | 'yellow' | 'cyan' | 'gray'>> = {
  SUCCEEDED: 'green',
  ACTIVE: 'green',
  FAILED: 'red',
  TIMEOUT: 'red',
  SUSPENDED: 'red',
  CANCELED: 'yellow',
  NOT_SUBMITTED: 'yellow',
  RUNNING: 'cyan',
  QUEUED: 'gray',
  REVOKED: 'gray',
  UNLINKED: 'gray',
};

/** Colors a word where it is a state. */
export function styleStatus(style: Style, text: string): string {
  const color = STATUS_COLORS[text.trim()];
  return color === undefined ? text : style(color, text);
}
