/** Logs that cannot be written are lost, and the bridge keeps running: without a listener Node would end it. */
export function surviveFullLog(): void {
  process.stderr.on('error', () => {});
}

/**
 * Writes what the command line was asked for.
 * @throws the system's error, for example of a full disk; a reader that stops early is none
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The callback has the error, but without a listener it would end the program before.
    process.stdout.once('error', () => {});
    process.stdout.write(text, (error) => {
      if (error && Reflect.get(error, 'code') !== 'EPIPE') reject(error);
      else resolve();
    });
  });
}
