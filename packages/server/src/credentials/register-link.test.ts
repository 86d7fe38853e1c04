import { expect, it } from 'vitest';
import {
  certificateFile,
  certificatePassword,
} from '../../test/fixtures/certificates/certificate-files.ts';
import { parseMasterKeys } from '../crypto/master-key.ts';
import { fixedMasterKeys } from '../crypto/master-key-source.ts';
import { createVault } from '../crypto/vault.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedOrganization } from '../store/testing/seed.ts';
import { type Presented, presentCertificate } from './certificate-credential.ts';
import { createIdentities } from './identity.ts';
import { type Registration, registerLink } from './register-link.ts';

const MASTER = Buffer.alloc(32, 9).toString('base64');
const IN_FORCE = Date.UTC(2030, 0, 1);

const present = (name: string) =>
  presentCertificate(
    {
      certificate: certificateFile(name),
      encryptedKey: certificateFile('seed-sha1.key'),
      password: certificatePassword,
    },
    { randomVid: null, policyOid: null },
    IN_FORCE,
  );

function dependenciesOf(store: Store) {
  const { organizationKeys } = store;
  const vault = createVault({
    masterKeys: fixedMasterKeys(parseMasterKeys(MASTER)),
    organizationKeys: {
      load: organizationKeys.load,
      saveIfAbsent: (scope, wrapped) => organizationKeys.saveIfAbsent({ scope, wrapped }),
      delete: organizationKeys.delete,
    },
  });
  return { store, vault, identities: createIdentities(store, vault) };
}

describeStores('registering a certificate', (stores) => {
  async function newOwner() {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    return {
      register: (presented: Presented, change: Partial<Registration> = {}) =>
        registerLink(dependenciesOf(store), {
          organizationId,
          actor: { kind: 'system', id: 'test', traceId: null },
          providers: ['tax_portal', 'bank_b'],
          presented,
          labels: {},
          purposeAt: () => 'test',
          isPrimary: false,
          confirm: false,
          ...change,
        }),
      links: () => store.accountLinks.list({ organizationId }),
    };
  }

  /** As versions before the whole subject was part of the identity stored it. */
  async function formerly(name: string): Promise<Presented> {
    const { formerIdentity, ...presented } = await present(name);
    if (formerIdentity === undefined) throw new Error('a certificate has a former identity');
    return { ...presented, identity: formerIdentity };
  }

  it('finds the links that an earlier version stored, and renews them (D99)', async () => {
    const owner = await newOwner();
    const { link, fanOut } = await owner.register(await formerly('person.der'));
    const again = await owner.register(await present('person.der'));
    expect([again.isNew, again.changed]).toEqual([false, false]);
    const renewed = await owner.register(await present('person-renewed.der'));
    expect([renewed.isNew, renewed.changed]).toEqual([false, true]);
    const later = await owner.register(await present('person-renewed.der'));
    expect([later.isNew, later.changed]).toEqual([false, false]);
    for (const each of [again, renewed, later]) {
      expect([each.link.id, ...each.fanOut.map(({ id }) => id)]).toEqual([link.id, fanOut[0]?.id]);
    }
    expect(await owner.links()).toHaveLength(2);
  });

  it('never takes a namesake for what an earlier version stored (D99)', async () => {
    const owner = await newOwner();
    const first = await owner.register(await formerly('person.der'));
    const namesake = await owner.register(await present('person-other-unit.der'));
    expect(namesake.isNew).toBe(true);
    expect(namesake.fanOut.map(({ id }) => id)).not.toContain(first.fanOut[0]?.id);
    const again = await owner.register(await present('person.der'));
    expect([again.link.id, again.changed]).toEqual([first.link.id, false]);
    expect(await owner.links()).toHaveLength(4);
  });
});
