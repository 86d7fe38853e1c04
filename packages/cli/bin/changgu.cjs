#!/usr/bin/env node
// Help that was written down by the build needs no parser; then comes the program.
const { tellHelp } = require('../dist/front/static-help.cjs');
if (!tellHelp(process.argv.slice(2), `${__dirname}/../dist/help`)) {
  // Before the program is read, so that the next start compiles nothing. In a directory of the user: whoever owns the
  // shared one that is Node's default could put code of their own into it.
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
  if (cache) require('node:module').enableCompileCache?.(`${cache}/changgu`);
  require('../dist/front/main.cjs');
}
