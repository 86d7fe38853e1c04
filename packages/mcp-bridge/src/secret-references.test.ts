import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AsyncEntry } from '@napi-rs/keyring';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadSecretReferences } from './secret-references.ts';

async function fileWith(content: unknown): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'changgu-secrets-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'secrets.json');
  await writeFile(path, JSON.stringify(content));
  return path;
}

describe('references to secrets', () => {
  it('lead to the environment or a file, the account before the institution', async () => {
    const pin = await fileWith('1234');
    const path = await fileWith({
      'bank_a.account_password': { env: 'PIN' },
      'bank_a.account_password@acc-2': { file: pin },
    });
    const secrets = await loadSecretReferences(path, { PIN: '9999' });
    const read = (account: string | null) => secrets.read('bank_a', ['account_password'], account);
    expect(await read('acc-1')).toEqual({ account_password: '9999' });
    expect(await read('acc-2')).toEqual({ account_password: '"1234"' });
    expect(await secrets.read('bank_b', ['account_password'], null)).toEqual({});
  });

  it('fail by name where they lead nowhere, and hold no value themselves', async () => {
    const path = await fileWith({ 'bank_a.account_password': { env: 'PIN' } });
    const secrets = await loadSecretReferences(path, {});
    await expect(secrets.read('bank_a', ['account_password'], null)).rejects.toThrow(
      'bank_a.account_password',
    );
    const inline = await fileWith({ 'bank_a.account_password': '1234' });
    await expect(loadSecretReferences(inline, {})).rejects.toThrow('must be {env}');
    await writeFile(inline, '{"bank_a.account_password": hunter2');
    await expect(loadSecretReferences(inline, {})).rejects.toThrow(
      `${inline} cannot be read as JSON.`,
    );
    await expect(loadSecretReferences(`${inline}.none`, {})).rejects.toThrow('cannot be read');
  });
});

describe('a reference to the keychain of this machine', () => {
  const service = 'changgu-test';
  const account = `reference-${process.pid}`;
  const read = async () => {
    const keychain = { service, account };
    const path = await fileWith({ 'bank_a.account_password': { keychain } });
    const secrets = await loadSecretReferences(path, {});
    return secrets.read('bank_a', ['account_password'], null);
  };
  /** Some machines, such as a container without the kernel's keyring, have none. */
  let hasKeychain = false;
  beforeAll(async () => {
    const probe = new AsyncEntry(service, `probe-${process.pid}`);
    hasKeychain = await probe.setPassword('probe').then(
      () => true,
      () => false,
    );
    if (hasKeychain) await probe.deleteCredential();
  });

  it('leads to what is kept there', async ({ skip }) => {
    if (!hasKeychain) skip('no keychain on this machine');
    const entry = new AsyncEntry(service, account);
    await entry.setPassword('kept-4711');
    onTestFinished(() => entry.deleteCredential().then(() => undefined));
    expect(await read()).toEqual({ account_password: 'kept-4711' });
  });

  it('fails by name where nothing is kept', async () => {
    await expect(read()).rejects.toThrow('bank_a.account_password leads to no value');
  });

  it.each([
    ['is refused', async () => Promise.reject(new Error('locked, password 4711'))],
    ['never answers', () => new Promise<never>(() => undefined)],
  ])('fails by name, and says nothing else, where the keychain %s', async (_how, answer) => {
    const patience = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    vi.spyOn(AsyncEntry.prototype, 'getPassword').mockImplementation(() => {
      setImmediate(() => patience.abort());
      return answer();
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await expect(read()).rejects.toThrow(
      'The reference of bank_a.account_password leads to no value on this machine.',
    );
  });
});
