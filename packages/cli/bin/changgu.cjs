#!/usr/bin/env node
// Help that was written down by the build needs no parser; then comes the program.
const words = process.argv.slice(2);
const asksForHelp =
  words.length === 0 || words.some((word) => /^(-h|--help|help|-V|--version)$/.test(word));
if (
  !asksForHelp ||
  !require('../dist/front/static-help.cjs').tellHelp(words, `${__dirname}/../dist/help`)
) {
  // Before the program is read, so that the next start compiles nothing. In a directory of the user: whoever owns the
  // shared one that is Node's default could put code of their own into it.
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  const cache = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
  if (cache) require('node:module').enableCompileCache?.(`${cache}/changgu`);
  require('../dist/front/main.cjs');
}
