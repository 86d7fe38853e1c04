import { processIo } from './process-io.ts';
import { runCli } from './run-cli.ts';

// No process.exit here: what was written to a pipe must still arrive.
void runCli(process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
