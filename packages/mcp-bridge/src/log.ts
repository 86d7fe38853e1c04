/** Structured lines for operators. Never an argument of a call, never a result. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** One JSON object a line: stdout belongs to the protocol, so lines go to stderr. */
export function jsonLog(write: (line: string) => void): Log {
  const line = (level: string) => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`);
  return { info: line('info'), warn: line('warn'), error: line('error') };
}
