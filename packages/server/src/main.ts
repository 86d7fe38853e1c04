#!/usr/bin/env node
import * as nodeModule from 'node:module';

const REQUIRED = 24;
const running = Number(process.versions.node.split('.', 1)[0]);
if (running < REQUIRED) {
  process.stderr.write(
    `changgu-server needs Node.js ${REQUIRED} or newer; this is ${process.version}.\n`,
  );
  process.exit(1);
}
// Before anything is imported, so that the next start compiles nothing.
nodeModule.enableCompileCache();
const { run } = await import('./commands/program.ts');
await run(process.argv);
