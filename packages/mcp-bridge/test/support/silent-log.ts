import type { Log } from '../../src/log.ts';

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
