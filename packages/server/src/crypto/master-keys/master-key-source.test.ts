import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MasterKeyError } from './master-key.ts';
import { devMasterKeyFile, openMasterKeySource, rotateMasterKeyFile } from './master-key-source.ts';

const text = Buffer.alloc(32, 5).toString('base64');
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'changgu-master-key-'));
});
afterEach(() => rm(directory, { recursive: true }));

const idsOf = async (options: Parameters<typeof openMasterKeySource>[0]) =>
  (await openMasterKeySource(options)).keys().map(({ id }) => id);

describe('where the master key comes from (D64)', () => {
  it('the environment and a file give the same key', async () => {
    const masterKeyFile = join(directory, 'key');
    await writeFile(masterKeyFile, `${text}\n`, { mode: 0o600 });
    expect(await idsOf({ masterKeyFile })).toEqual(await idsOf({ masterKey: text }));
  });

  it.each([
    ['none outside dev', {}],
    ['both', { masterKey: text, masterKeyFile: 'file' }],
    ['a file that is not there', { masterKeyFile: 'no/such/file' }],
    ['an unreadable key', { masterKey: 'short' }],
  ])('%s is refused', async (_, options) => {
    await expect(openMasterKeySource(options)).rejects.toThrow(MasterKeyError);
  });

  it('dev makes one that only its owner can read, and finds it again', async () => {
    const [first] = await idsOf({ devDataDir: directory, createDevKey: true });
    expect(await idsOf({ devDataDir: directory, createDevKey: true })).toEqual([first]);
    expect((await stat(devMasterKeyFile(directory))).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['master-key']);
  });

  it.each([0o640, 0o604, 0o660])(
    'a key file of mode %o is refused with its remedy',
    async (mode) => {
      const masterKeyFile = join(directory, 'key');
      await writeFile(masterKeyFile, text);
      await chmod(masterKeyFile, mode);
      await expect(idsOf({ masterKeyFile })).rejects.toThrow(`run: chmod 600 ${masterKeyFile}`);
    },
  );

  it('only dev itself makes a key; a command beside it finds one or says where to look', async () => {
    await expect(idsOf({ devDataDir: directory })).rejects.toThrow('there is no master key in');
    expect(await readdir(directory)).toEqual([]);
    const [made] = await idsOf({ devDataDir: directory, createDevKey: true });
    expect(await idsOf({ devDataDir: directory })).toEqual([made]);
  });

  it('two dev processes starting at once read the same one', async () => {
    const opened = await Promise.all(
      Array.from({ length: 8 }, () => idsOf({ devDataDir: directory, createDevKey: true })),
    );
    expect(new Set(opened.flat()).size).toBe(1);
  });

  it('a rotation puts a new key first, keeps the one before and drops older ones', async () => {
    const file = devMasterKeyFile(directory);
    const source = await openMasterKeySource({ devDataDir: directory, createDevKey: true });
    const [first] = source.keys();
    await rotateMasterKeyFile(file);
    expect(source.keys()).toHaveLength(1);
    await source.reload();
    const [second, kept] = source.keys();
    expect(kept?.id).toBe(first.id);
    expect(second.id).not.toBe(first.id);

    await rotateMasterKeyFile(file);
    await source.reload();
    expect(source.keys().map(({ id }) => id)).toEqual([expect.any(String), second.id]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  it('a rotation neither waits for nor undoes another', async () => {
    const file = devMasterKeyFile(directory);
    await openMasterKeySource({ devDataDir: directory, createDevKey: true });
    const before = await readFile(file, 'utf8');
    await writeFile(`${file}.next`, '');
    await expect(rotateMasterKeyFile(file)).rejects.toThrow(MasterKeyError);
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readdir(directory)).toEqual(['master-key', 'master-key.next']);

    await expect(rotateMasterKeyFile(join(directory, 'none'))).rejects.toThrow(MasterKeyError);
    expect(await readdir(directory)).toEqual(['master-key', 'master-key.next']);
  });
});
