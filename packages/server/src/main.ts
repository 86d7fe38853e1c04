#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything is imported, so that the next start compiles nothing.
enableCompileCache();
const { run } = await import('./commands/program.ts');
await run(process.argv);
