#!/usr/bin/env node
// CommonJS, so that the cache is on before the first ES module is read.
require('node:module').enableCompileCache?.();
import('../dist/main.js');
