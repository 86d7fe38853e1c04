import { EXIT } from './exit-codes.ts';
import { processIo } from './process-io.ts';
import { runCli } from './run-cli.ts';

// Until the run has an outcome: Node would end one that waits for nothing with 0.
process.exitCode = EXIT.failed;
// No process.exit here: what was written to a pipe must still arrive.
void runCli(process.argv.slice(2), processIo()).then((exitCode) => {
  process.exitCode = exitCode;
});
