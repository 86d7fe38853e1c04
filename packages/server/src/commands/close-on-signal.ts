const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const CODES = { SIGTERM: 143, SIGINT: 130 } as const;

/** The first signal lets work under way end; the second ends the process at once. */
export function closeOnSignal(close: () => Promise<void>): void {
  let closing = false;
  const stop = (signal: (typeof SIGNALS)[number]) => {
    if (closing) process.exit(CODES[signal]);
    closing = true;
    close().then(
      () => process.exit(0),
      (failure: unknown) => {
        process.stderr.write(`changgu-server: ${String(failure)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of SIGNALS) process.on(signal, stop);
}
