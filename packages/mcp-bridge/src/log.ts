import { escapeControls } from '@changgu/contract/harmless-text';

/** Structured lines for operators. Never contains a call's arguments or results. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** One JSON object per line, on stderr, because stdout belongs to the protocol. */
export function jsonLog(write: (line: string) => void): Log {
  const line = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) => {
    const entry = { time: new Date().toISOString(), level, message, ...fields };
    write(`${escapeControls(JSON.stringify(entry))}\n`);
  };
  return { info: line('info'), warn: line('warn'), error: line('error') };
}
