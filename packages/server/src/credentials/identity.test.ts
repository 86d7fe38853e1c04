import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseMasterKeys } from '../crypto/master-keys/master-key.ts';
import { fixedMasterKeys } from '../crypto/master-keys/master-key-source.ts';
import { createVault } from '../crypto/vault.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { createIdentities, type IdentityOf } from './identity.ts';

const MASTER = Buffer.alloc(32, 9).toString('base64');
const account = (...parts: string[]): IdentityOf => ({ kind: 'account', parts });

function identitiesOf({ organizationKeys }: Store) {
  const vault = createVault({
    masterKeys: fixedMasterKeys(parseMasterKeys(MASTER)),
    organizationKeys: {
      load: organizationKeys.load,
      saveIfAbsent: (scope, wrapped) => organizationKeys.saveIfAbsent({ scope, wrapped }),
    },
  });
  return createIdentities({ organizationKeys }, vault);
}

describeStores('identities (D99)', (stores) => {
  it('are recognized by every process of the organization, and by no other organization', async () => {
    const processes = [await stores.open(), await stores.open()].map(identitiesOf);
    const hashes = await Promise.all(
      [...processes, ...processes].map((each) => each.hash(1, account('1101234567'))),
    );
    expect(new Set(hashes).size).toBe(1);
    expect(await processes[0]?.hash(2, account('1101234567'))).not.toBe(hashes[0]);
  });

  it('cannot be found by trying, because they are keyed (D64)', async () => {
    const hash = await identitiesOf(await stores.open()).hash(3, account('1101234567'));
    const guesses = ['1101234567', JSON.stringify(['account', '1101234567'])].map((text) =>
      createHash('sha256').update(text).digest('hex'),
    );
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(guesses).not.toContain(hash);
  });

  it('differ by kind and by the boundaries of their parts', async () => {
    const { hash } = identitiesOf(await stores.open());
    const hashes = await Promise.all([
      hash(4, account('ab', 'c')),
      hash(4, account('a', 'bc')),
      hash(4, { kind: 'login', parts: ['ab', 'c'] }),
    ]);
    expect(new Set(hashes).size).toBe(3);
  });
});
