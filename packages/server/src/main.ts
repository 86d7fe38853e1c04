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
// Before anything is imported, so that the next start compiles nothing. In a directory of the user: whoever owns the
// shared one that is Node's default could put code of their own into it.
const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
if (cache) nodeModule.enableCompileCache(`${cache}/changgu-server`);
const { run } = await import('./commands/program.ts');
await run(process.argv);
