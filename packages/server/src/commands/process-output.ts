/** Without these listeners Node would end a program on a full disk, a server included, with a stack trace. */
export function watchOutput(): void {
  process.stdout.on('error', endWithoutOutput);
  // A line of log that cannot be written stops no server.
  process.stderr.on('error', () => {});
}

function endWithoutOutput({ code, message }: NodeJS.ErrnoException): never {
  // A reader that stops early is not an error.
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(`changgu-server: the output cannot be written: ${message}\n`);
  process.exit(1);
}
