import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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
  });
});
