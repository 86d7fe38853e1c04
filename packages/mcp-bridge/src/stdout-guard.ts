import { Writable } from 'node:stream';

/**
 * Keeps stdout for the protocol: what anything else writes there goes to stderr.
 * @returns the only way to the real stdout
 */
export function guardStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  const protocol = new Writable({
    write: (chunk: Buffer, _encoding, done) => void write(chunk, (error) => done(error)),
  });
  process.stdout.on('error', (error) => protocol.destroy(error));
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return protocol;
}
