#!/usr/bin/env node
// Help that was written down by the build needs no parser; then comes the program.
const words = process.argv.slice(2);
const asksForHelp =
  words.length === 0 || words.some((word) => /^(-h|--help|help|-V|--version)$/.test(word));
if (
  !asksForHelp ||
  !require('../dist/front/static-help.cjs').tellHelp(words, `${__dirname}/../dist/help`)
) {
  // In a directory of the user: whoever owns the shared one that is Node's default could put code of their own into it.
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
  const base = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
  const cache = base ? `${base}/changgu` : null;
  if (cache) require('node:module').enableCompileCache?.(cache);
  // The commands of a group need much the same code.
  const group = /^[a-z][a-z-]{0,30}$/.test(words[0] ?? '') ? words[0] : 'other';
  const { runCached } = require('../dist/front/code-cache.cjs');
  const keep = runCached(`${__dirname}/../dist/front/main.cjs`, cache && `${cache}/code/${group}`);
  if (keep) process.on('exit', (code) => code === 0 && keep());
}
