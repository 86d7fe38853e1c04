import { expect, it } from 'vitest';
import {
  certificateFile,
  certificatePassword,
} from '../../test/fixtures/certificates/certificate-files.ts';
import { parseMasterKeys } from '../crypto/master-keys/master-key.ts';
import { fixedMasterKeys } from '../crypto/master-keys/master-key-source.ts';
import { createVault } from '../crypto/vault.ts';
import type { Store } from '../store/database.ts';
import type { AccountLink } from '../store/links/link-rows.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { ALL_ACTS } from '../store/testing/no-filter.ts';
import { seedOrganization } from '../store/testing/seed.ts';
import { type Presented, presentCertificate } from './certificate-credential.ts';
import { createIdentities } from './identity.ts';
import { type Registered, type Registration, registerLink } from './register-link.ts';
import { openCredential } from './stored-credential.ts';

const MASTER = Buffer.alloc(32, 9).toString('base64');
const IN_FORCE = Date.UTC(2030, 0, 1);

const present = (name: string, told: Partial<Parameters<typeof presentCertificate>[1]> = {}) =>
  presentCertificate(
    {
      certificate: certificateFile(name),
      encryptedKey: certificateFile('seed-sha1.key'),
      password: certificatePassword,
    },
    { randomVid: null, policyOid: null, ...told },
    IN_FORCE,
  );

function dependenciesOf(store: Store) {
  const { organizationKeys } = store;
  const vault = createVault({
    masterKeys: fixedMasterKeys(parseMasterKeys(MASTER)),
    organizationKeys: {
      load: organizationKeys.load,
      saveIfAbsent: (scope, wrapped) => organizationKeys.saveIfAbsent({ scope, wrapped }),
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
      links: () => store.accountLinks.list({ organizationId, provider: null }),
      acts: () => store.audit.list({ ...ALL_ACTS, organizationId, limit: 100 }),
      async randomVidOf({ id }: AccountLink): Promise<string | null> {
        const query = { organizationId, accountLinkId: id, bankAccountCredentialId: null };
        const { link } = await store.engine.readCallRows(query);
        if (!link?.credential) throw new Error('the link has no credential');
        const { vault } = dependenciesOf(store);
        const opened = await openCredential(vault, organizationId, id, link.credential);
        return opened.type === 'certificate' ? opened.randomVid : null;
      },
    };
  }

  const suspend = ({ id }: AccountLink) =>
    stores.execute(
      "update account_links set status = 'SUSPENDED', suspended_code = 'X' where id = ?",
      [id],
    );

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

  it('takes the random number of the virtual id that comes later, and keeps it (D99)', async () => {
    const owner = await newOwner();
    const [one, other] = [Buffer.alloc(20, 1), Buffer.alloc(20, 2)];
    const first = await owner.register(await present('person.der'));
    expect(await owner.randomVidOf(first.link)).toBeNull();
    for (const randomVid of [one, other]) {
      const told = await owner.register(await present('person.der', { randomVid }));
      expect(told.changed).toBe(true);
      for (const link of [told.link, ...told.fanOut]) {
        expect(await owner.randomVidOf(link)).toBe(randomVid.toString('base64'));
      }
    }
    const { link } = await owner.register(await present('person.der'));
    await suspend(link);
    const lifted = await owner.register(await present('person.der'));
    expect([lifted.link.status, lifted.changed]).toEqual(['ACTIVE', true]);
    expect(await owner.randomVidOf(link)).toBe(other.toString('base64'));
  });

  it('takes the policy and the alias of a certificate that come later, and keeps them (D84, D99)', async () => {
    const owner = await newOwner();
    const first = await owner.register(await present('person-no-policy.der'));
    expect(first.link.certificate?.oid).toBeNull();
    const policyOid = '1.2.410.200005.1.1.1';
    const presented = await present('person-no-policy.der', { policyOid });
    const told = await owner.register(presented, { labels: { certName: '개인 인증서' } });
    const rowsOf = ({ link, fanOut }: Registered) =>
      stores.execute(
        'select cert_name, cert_oid, owner_kind from account_links where id in (?, ?) order by provider desc',
        [link, ...fanOut].map(({ id }) => id),
      );
    const said = { cert_name: '개인 인증서', cert_oid: policyOid, owner_kind: 'individual' };
    expect([told.link.certificate?.oid, told.changed]).toEqual([policyOid, false]);
    expect(await rowsOf(told)).toEqual([said, said]);
    await suspend(told.link);
    await owner.register(await present('person-no-policy.der'));
    expect(await rowsOf(told)).toEqual([said, said]);
    // Another provider's link is new, and says it from the start.
    const providers = ['tax_portal', 'bank_c'] as const;
    const more = await owner.register(presented, { providers });
    expect(await rowsOf(more)).toEqual([said, { ...said, cert_name: null }]);
  });

  it('leaves the names of links at other providers as they are (D101)', async () => {
    const owner = await newOwner();
    const atBank = { displayLabel: '급여계좌', businessName: '창구상사' };
    await owner.register(await present('person.der'), { providers: ['bank_b'], labels: atBank });
    const renewed = await present('person-renewed.der');
    const labels = { displayLabel: '국세', businessName: '본점', bizNumber: '1248100998' };
    const providers = ['tax_portal', 'bank_b', 'bank_c'] as const;
    await owner.register(renewed, { providers, labels });
    const said = new Map((await owner.links()).map((link) => [link.provider, link]));
    expect(said.get('tax_portal')).toMatchObject(labels);
    expect(said.get('bank_c')).toMatchObject(labels);
    // What it does not say yet, it takes.
    expect(said.get('bank_b')).toMatchObject({ ...labels, ...atBank });
  });

  it('makes links at other providers primary where there is none (D101)', async () => {
    const owner = await newOwner();
    const person = await present('person.der');
    await owner.register(person);
    const other = await present('person-other-unit.der');
    await owner.register(other, { providers: ['bank_b'], isPrimary: true });
    const providers = ['tax_portal', 'bank_b', 'bank_c'] as const;
    await owner.register(person, { providers });
    const { link, fanOut } = await owner.register(person, { providers, isPrimary: true });
    expect([link, ...fanOut].map(({ isPrimary }) => isPrimary)).toEqual([true, false, true]);
    const before = await owner.acts();
    await owner.register(person, { providers, isPrimary: true });
    expect(await owner.acts()).toEqual(before);
  });
});
