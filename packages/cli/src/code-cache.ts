import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** Room for what code was compiled from, before the code itself. */
const ID_BYTES = 128;

/** Of the bundle, at its end, in hexadecimal. */
const DIGEST_LENGTH = 64;

/**
 * Runs the bundle with the code that an earlier run compiled. Node's compile cache keeps what V8 compiles when it reads
 * a file, which for a bundle contains no function that a command calls; this one is taken at the end of a run, with all of them.
 * @param bundle a function of `require`, `module` and `exports`, then its digest
 * @param kept file of the compiled code; null where there is no place for one
 * @returns keeps the code of this run, to be called at its end; null when there is nothing new
 */
export function runCached(bundle: string, kept: string | null): (() => void) | null {
  // The build writes ASCII only, which is fastest to read in this encoding.
  const source = readFileSync(bundle, 'latin1');
  const { version, arch } = process;
  const id = Buffer.from(`${source.slice(-DIGEST_LENGTH)} ${version} ${arch}`.padEnd(ID_BYTES));
  const cachedData = kept === null ? null : codeIn(kept, id);
  const script = new Script(source, { filename: bundle, ...(cachedData ? { cachedData } : {}) });
  const module = { exports: {}, filename: bundle };
  script.runInThisContext()(createRequire(bundle), module, module.exports);
  if (kept === null || (cachedData && !script.cachedDataRejected)) return null;
  return () => keep(kept, Buffer.concat([id, script.createCachedData()]));
}

/** Null when there is none, or that of another build, which V8 would not notice. */
function codeIn(kept: string, id: Buffer): Buffer | null {
  try {
    const bytes = readFileSync(kept);
    return bytes.subarray(0, ID_BYTES).equals(id) ? bytes.subarray(ID_BYTES) : null;
  } catch {
    return null;
  }
}

/** Whole or not at all, whoever else writes it; without room for it the program is only slower. */
function keep(kept: string, bytes: Buffer): void {
  const part = `${kept}.${process.pid}`;
  try {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    writeFileSync(part, bytes, { mode: 0o600 });
    renameSync(part, kept);
  } catch {
    removeIfPossible(part);
  }
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}
