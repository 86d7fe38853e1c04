import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeLock } from './process-lock.ts';
import { processStart } from './process-start.ts';

let dir: string;
let file: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'changgu-lock-'));
  file = join(dir, 'run.lock');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const everyone = () => true;
const leave = (holder: object) =>
  writeFile(file, JSON.stringify({ since: new Date().toISOString(), ...holder }));

describe('the lock of a run', () => {
  it('is held by one at a time, also within one process', async () => {
    const lock = await takeLock(file, everyone);
    expect(await takeLock(file, everyone)).toEqual({ heldBy: process.pid });
    if ('release' in lock) await lock.release();
    expect(await takeLock(file, everyone)).toHaveProperty('release');
  });

  it('that a killed process left is taken by one with its number, as in a container (R80)', async () => {
    await leave({ pid: process.pid, start: '1' });
    expect(await takeLock(file, everyone)).toHaveProperty('release');
    await leave({ pid: process.pid });
    expect(await takeLock(file, everyone)).toHaveProperty('release');
  });

  it('is not held by a later process that has the number of the killed one', async () => {
    const start = processStart(process.ppid);
    await leave({ pid: process.ppid, start });
    expect(await takeLock(file, everyone)).toEqual({ heldBy: process.ppid });
    // Without such facts, a process that lives holds it.
    const isKnown = start !== null;
    await leave({ pid: process.ppid, start: 'another' });
    expect('release' in (await takeLock(file, everyone))).toBe(isKnown);
  });

  it('names its process and when that began', async () => {
    await takeLock(file, everyone);
    const { pid, start } = JSON.parse(await readFile(file, 'utf8'));
    expect({ pid, start }).toEqual({ pid: process.pid, start: processStart(process.pid) });
  });
});
