#!/usr/bin/env node
// CommonJS, so that the cache is on before the first ES module is read.
require('node:module').enableCompileCache?.();
void import('../dist/main.js');
