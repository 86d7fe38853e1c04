import { readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConnectorModuleError } from '../own-institutions.ts';
import type { PlainCase } from './connector-case.ts';
import type { Trace } from './trace.ts';

const NEEDED = ['module', 'action', 'baseUrl'];

/**
 * A case as stored in a file; the path of its module is relative to the file.
 * @throws ConnectorModuleError
 */
export async function readCase(path: string): Promise<PlainCase> {
  const written = await readObject(path);
  const missing = NEEDED.filter((name) => typeof written[name] !== 'string');
  if (missing.length > 0) throw new ConnectorModuleError(`${path} has no ${missing.join(', ')}`);
  const module = resolve(dirname(path), String(written.module));
  // Anything else that is wrong with it shows in the first run.
  return { ...(written as PlainCase), module };
}

/** @throws ConnectorModuleError */
export async function readTrace(path: string): Promise<Trace> {
  const written = await readObject(path);
  if (isTrace(written)) return written;
  throw new ConnectorModuleError(`${path} is not a trace that this version can read`);
}

/** Anything else that is wrong with it shows on replay. */
function isTrace(written: object): written is Trace {
  return (
    'version' in written &&
    written.version === 1 &&
    'exchanges' in written &&
    Array.isArray(written.exchanges)
  );
}

/** Readable only by its owner, because it has not been reviewed yet. */
export async function writePrivate(path: string, value: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 1)}\n`, { mode: 0o600 });
}

async function readObject(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw new ConnectorModuleError(`${path} holds no JSON object`);
}
