#!/usr/bin/env node
// Before the program is read, so that the next start compiles nothing.
require('node:module').enableCompileCache?.();
// Bundled CommonJS packages ask for modules of Node by this name; making one in each chunk costs more than they do.
globalThis.require = require;
require('../dist/front/main.cjs');
