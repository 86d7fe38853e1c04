import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { useThreadProgram } from '../backends/sqlite.ts';

useThreadProgram(pathToFileURL(inject('storeThread')));
