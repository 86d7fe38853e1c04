#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { isNodeSupported, REQUIRED_NODE } from './node-version.ts';

const running = process.versions.node;
if (!isNodeSupported(running)) {
  process.stderr.write(
    `changgu-server needs Node.js ${REQUIRED_NODE} or newer; this is ${running}.\n`,
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
