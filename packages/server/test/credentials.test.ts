import { X509Certificate } from 'node:crypto';
import { demoCertificates } from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createCiphertextBinding,
  createCiphertextReceipt,
} from '../src/credentials/bound-ciphertexts.ts';
import { createIdentities } from '../src/credentials/identity.ts';
import { certificateFile, certificatePassword } from './fixtures/certificates/certificate-files.ts';
import { encrypt } from './support/encrypt.ts';
import { errorOf } from './support/outcomes.ts';
import { bearer, newPerson, type Person } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;
let person: Person;

beforeAll(async () => {
  server = await startTestServer();
  person = await newPerson(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const link = (body: object, by: Person = person) => by.call('POST', '/v1/credentials/link', body);

const login = (id: string, password: string) => ({
  provider: 'bank_b',
  login_id: encrypt(id),
  login_password: encrypt(password),
});

function certificate(demo = demoCertificates.corporation, change: object = {}) {
  return {
    cert_data: encrypt(demo.certificateDer),
    key_data: encrypt(demo.encryptedKeyDer),
    encrypted_pw: encrypt(demo.password),
    ...change,
  };
}

async function linkId(body: object, by: Person = person): Promise<string> {
  const answer = await link(body, by);
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body.account_link_id;
}

const asAdmin = (method: string, path: string, body?: unknown, more: object = {}) =>
  server.call(method, path, {
    headers: { ...bearer(server.adminToken), ...more },
    ...(body === undefined ? {} : { body }),
  });

async function keyOf(integration_profile: string) {
  const { body } = await asAdmin(
    'POST',
    '/v1/app-credentials',
    { label: 'key', integration_profile },
    { 'x-organization-id': String(person.organizationId) },
  );
  return `Basic ${Buffer.from(`${body.client_id}:${body.client_secret}`).toString('base64')}`;
}

describe('who may link (R88)', () => {
  it('console users and desktop_agent keys; others get 403', async () => {
    const body = login('who-may', 'password');
    const by = (authorization: string) =>
      server.call('POST', '/v1/credentials/link', { headers: { authorization }, body });
    expect((await by(await keyOf('standard_external'))).status).toBe(403);
    expect((await by(`Bearer ${server.adminToken}`)).status).toBe(403);
    expect((await by(await keyOf('desktop_agent'))).status).toBe(201);
    expect((await link(body)).status).toBe(200);
  });
});

describe('who may change a link (D106)', () => {
  it('those who may link; an admin may only unlink', async () => {
    const id = await linkId(login('d106', 'password'));
    const keys = [await keyOf('standard_external'), await keyOf('desktop_agent')];
    const callers = [...keys, `Bearer ${server.adminToken}`, `Bearer ${person.token}`];
    const statuses = (method: string, path: string, body: object) =>
      Promise.all(
        callers.map(async (authorization) => {
          const answer = await server.call(method, `/v1/credentials/${path}`, {
            headers: { authorization },
            body,
          });
          return `${answer.status} ${answer.body.error?.code ?? ''}`.trim();
        }),
      );
    const refused = '403 AUTH_FORBIDDEN_PRINCIPAL';
    const linkers = [refused, '200', refused, '200'];
    expect(await statuses('PUT', `${id}/selected-assets`, { selected_assets: null })).toEqual(
      linkers,
    );
    // bank_b has no consent flow: who gets as far as that was admitted.
    const admitted = '400 VALIDATION_INVALID_FIELD';
    expect(await statuses('POST', 'consent-url', { provider: 'bank_b' })).toEqual(
      linkers.map((answer) => (answer === refused ? refused : admitted)),
    );
    // Keys and users may only send user_request.
    const byAdmin = { unlink_reason: 'security_incident' };
    expect(await statuses('POST', `${id}/unlink`, byAdmin)).toEqual([
      refused,
      refused,
      '200',
      refused,
    ]);
    expect(await statuses('POST', `${id}/unlink`, {})).toEqual([refused, '200', '200', '200']);
  });
});

describe('a login (D99, D100)', () => {
  it('the same again changes nothing; another password needs confirm (R92)', async () => {
    const first = await link(login('r92', 'the password'));
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ auth_type: 'id_password', status: 'ACTIVE', cert: null });
    for (const confirm of [false, true]) {
      const again = await link({ ...login('r92', 'the password'), confirm });
      expect([again.status, again.body.changed]).toEqual([200, false]);
      expect(again.body.account_link_id).toBe(first.body.account_link_id);
    }
    const other = login('r92', 'another password');
    expect(await errorOf(link(other))).toBe('409 CREDENTIAL_CONFIRM_REQUIRED');
    expect((await link(login('r92', 'the password'))).body.changed).toBe(false);
    const changed = await link({ ...other, confirm: true });
    expect([changed.status, changed.body.changed]).toEqual([200, true]);
    expect((await link(other)).body.changed).toBe(false);
  });

  it('keeps Korean text whose character straddles the 446th byte (R54)', async () => {
    const password = `${'a'.repeat(445)}가나다`;
    await linkId(login('straddle', password));
    const again = await link(login('straddle', password));
    expect([again.status, again.body.changed]).toEqual([200, false]);
  });

  it('many at once make one link', async () => {
    const owner = await newPerson(server);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => link(login('at-once', 'password'), owner)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.account_link_id)).size).toBe(1);
  });

  it.each([
    ['no set', {}, '422 VALIDATION_INVALID_FIELD'],
    ['half a set', { login_id: encrypt('x') }, '422 VALIDATION_INVALID_FIELD'],
    [
      'an unknown property',
      { ...login('x', 'y'), redirect_uri: 'x' },
      '422 VALIDATION_INVALID_FIELD',
    ],
    [
      'a value that is not base64',
      { ...login('x', 'y'), login_id: 'abc!defghijklmnop' },
      '400 VALIDATION_INVALID_FIELD',
    ],
    [
      'plain text',
      { ...login('x', 'y'), login_id: 'plain-text-login-id-abcd' },
      '400 VALIDATION_INVALID_FIELD',
    ],
    [
      'a value for no key of ours',
      { ...login('x', 'y'), login_id: 'A'.repeat(684) },
      '422 CREDENTIAL_INVALID',
    ],
    [
      'an unknown provider',
      { ...login('x', 'y'), provider: 'bank_z' },
      '400 VALIDATION_INVALID_FIELD',
    ],
    [
      'a provider that takes no login',
      { ...login('x', 'y'), provider: 'si_edi' },
      '400 VALIDATION_INVALID_FIELD',
    ],
    [
      'a business number that is none',
      { ...login('x', 'y'), biz_number: '1234567890' },
      '422 VALIDATION_INVALID_FIELD',
    ],
  ])('%s is refused', async (_, body, error) => {
    expect(await errorOf(link(body))).toBe(error);
  });

  it('more than 32 RSA pieces are refused before any is decrypted (D34)', async () => {
    const body = { ...login('x', 'y'), login_password: encrypt('x'.repeat(446 * 32)) };
    expect(await errorOf(link(body))).toBe('422 VALIDATION_INVALID_FIELD');
  });
});

describe('a certificate (D99, D101)', () => {
  it.each(['corporation', 'soleProprietor', 'individual'] as const)(
    'of the %s is opened and told about',
    async (name) => {
      const owner = await newPerson(server);
      const answer = await link(certificate(demoCertificates[name]), owner);
      expect(answer.status).toBe(201);
      expect(answer.body.cert).toMatchObject({ oid: demoCertificates[name].policyOid });
      expect(answer.body.cert.subject_cn).not.toBe('');
      expect(answer.body.provider).toBe('tax_portal');
    },
  );

  it.each([
    ['a wrong password', { encrypted_pw: encrypt('wrong') }, '비밀번호'],
    ["another's key", { key_data: encrypt(demoCertificates.agency.encryptedKeyDer) }, '일치'],
    ['garbage', { cert_data: encrypt('not a certificate') }, '형식'],
  ])('%s is a clear 422', async (_, change, text) => {
    const { status, body } = await link(certificate(demoCertificates.corporation, change));
    expect([status, body.error.code]).toEqual([422, 'CREDENTIAL_INVALID']);
    expect(body.error.message).toContain(text);
  });

  it('takes certificate and key in one file, PKCS#12', async () => {
    const owner = await newPerson(server);
    const one = {
      pkcs12_data: encrypt(certificateFile('rc2-40.p12')),
      encrypted_pw: encrypt(certificatePassword),
    };
    const two = {
      cert_data: encrypt(certificateFile('person.der')),
      key_data: encrypt(certificateFile('seed-sha1.key')),
      encrypted_pw: encrypt(certificatePassword),
    };
    const linked = await link(one, owner);
    expect([linked.status, linked.body.auth_type]).toEqual([201, 'certificate']);
    const again = await link(two, owner);
    expect([again.status, again.body.account_link_id]).toEqual([200, linked.body.account_link_id]);
    const wrong = await link({ ...one, encrypted_pw: encrypt('wrong') }, owner);
    expect([wrong.status, wrong.body.error.code]).toEqual([422, 'CREDENTIAL_INVALID']);
    const mixed = await link({ ...one, key_data: two.key_data }, owner);
    expect([mixed.status, mixed.body.error.code]).toEqual([422, 'VALIDATION_INVALID_FIELD']);
  });

  it('of the same name and issuer in another unit is another link; a renewed one is the same (D99)', async () => {
    const owner = await newPerson(server);
    const files = (name: string) => ({
      cert_data: encrypt(certificateFile(name)),
      key_data: encrypt(certificateFile('seed-sha1.key')),
      encrypted_pw: encrypt(certificatePassword),
      provider: 'bank_b',
    });
    const first = await link({ ...files('person.der'), display_label: 'A지점' }, owner);
    const other = await link({ ...files('person-other-unit.der'), display_label: 'B지점' }, owner);
    expect([first.status, other.status]).toEqual([201, 201]);
    const renewed = await link(files('person-renewed.der'), owner);
    expect(renewed.status).toBe(200);
    expect(renewed.body).toMatchObject({
      account_link_id: first.body.account_link_id,
      display_label: 'A지점',
      changed: true,
    });
    const { body: list } = await owner.call('GET', '/v1/credentials?provider=bank_b');
    expect(list.items).toHaveLength(2);
  });

  it('that never ends has a time that the contract takes (D143)', async () => {
    const fixture = certificateFile('person-no-policy.der').toString('latin1');
    // RFC 5280's time for no end, which is in the year 10000 in Korea. Nothing checks the signature.
    const endless = fixture.replace(/2126\d{10}Z/, '99991231235959Z');
    expect(endless).not.toBe(fixture);
    const body = {
      provider: 'bank_b',
      cert_data: encrypt(Buffer.from(endless, 'latin1')),
      key_data: encrypt(certificateFile('seed-sha1.key')),
      encrypted_pw: encrypt(certificatePassword),
    };
    const linked = await link(body, await newPerson(server));
    expect(linked.body.cert?.not_after).toBe('9999-12-31T23:59:59.999+09:00');
  });

  it('is taken with ciphertexts that an earlier version bound to its issuer and name (D159)', async () => {
    const owner = await newPerson(server);
    const { organizationId } = owner;
    const body = certificate();
    const { store, vault } = server.core;
    const identities = createIdentities(store, vault);
    const { issuer, subject } = new X509Certificate(demoCertificates.corporation.certificateDer);
    const former = await identities.hash(organizationId, {
      kind: 'certificate',
      parts: [issuer.split('\n').reverse().join(','), subject.replace(/^.*CN=/s, '')],
    });
    const bind = createCiphertextBinding(store, createCiphertextReceipt(identities));
    expect(await bind(organizationId, { key_data: body.key_data }, former)).toBeNull();
    expect((await link(body, owner)).status).toBe(201);
    expect((await link(body, owner)).status).toBe(200);
  });

  it('brings a random number that serves no other certificate (D159)', async () => {
    const owner = await newPerson(server);
    const random_enc = encrypt(Buffer.alloc(20, 1));
    for (const status of [201, 200]) {
      expect((await link({ ...certificate(), random_enc }, owner)).status).toBe(status);
    }
    const other = { ...certificate(demoCertificates.individual), random_enc };
    expect(await errorOf(link(other, owner))).toBe('422 CREDENTIAL_INVALID');
  });

  it('an expired one is a clear 422', async () => {
    const { status, body } = await link(certificate(demoCertificates.expired));
    expect(status).toBe(422);
    expect(body.error.message).toContain('유효기간');
  });

  it('fans out to every other provider that takes certificates, less the excluded', async () => {
    const owner = await newPerson(server);
    const excluded = ['bank_a', 'bank_c'];
    const first = await link(
      { ...certificate(), is_primary: true, exclude_providers: excluded },
      owner,
    );
    const providers = first.body.fan_out.map(({ provider }: { provider: string }) => provider);
    expect(providers.toSorted()).toEqual(['bank_b', 'bank_d', 'employment', 'si_edi']);
    const { body: list } = await owner.call('GET', '/v1/credentials');
    expect(list.items).toHaveLength(5);
    expect(list.items.every((item: { is_primary: boolean }) => item.is_primary)).toBe(true);

    const again = await link(certificate(), owner);
    expect([again.status, again.body.changed]).toEqual([200, false]);
    expect(again.body.fan_out).toHaveLength(6);
    expect(await errorOf(link({ ...certificate(), exclude_providers: ['nowhere'] }, owner))).toBe(
      '400 VALIDATION_INVALID_FIELD',
    );
  });

  it('unlinking one leaves its siblings', async () => {
    const owner = await newPerson(server);
    const { body } = await link(certificate(), owner);
    await owner.call('POST', `/v1/credentials/${body.account_link_id}/unlink`);
    const { body: list } = await owner.call('GET', '/v1/credentials');
    expect(list.items).toHaveLength(6);
  });

  it('arrives whole in serverTransmissionData, alone (D144)', async () => {
    const owner = await newPerson(server);
    const inner = { ...login('wrapped', 'password'), display_label: '예전 방식' };
    const serverTransmissionData = encrypt(JSON.stringify(inner));
    const linked = await link({ serverTransmissionData }, owner);
    expect([linked.status, linked.body.display_label]).toEqual([201, '예전 방식']);
    expect(await errorOf(link({ serverTransmissionData, provider: 'bank_b' }, owner))).toBe(
      '422 VALIDATION_INVALID_FIELD',
    );
    for (const bad of ['{', '[]', '{"unknown":1}']) {
      expect(await errorOf(link({ serverTransmissionData: encrypt(bad) }, owner))).toBe(
        '422 VALIDATION_INVALID_FIELD',
      );
    }
  });
});

describe('the representative (D102)', () => {
  it('is one per provider: setting it takes the old one away, unlinking leaves none', async () => {
    const owner = await newPerson(server);
    const first = await linkId({ ...login('first', 'p'), is_primary: true }, owner);
    const second = await linkId(login('second', 'p'), owner);
    const primaries = async () => {
      const { body } = await owner.call('GET', '/v1/credentials?provider=bank_b');
      return body.items
        .filter((item: { is_primary: boolean }) => item.is_primary)
        .map((item: { account_link_id: string }) => item.account_link_id);
    };
    expect(await primaries()).toEqual([first]);
    const set = await link({ ...login('second', 'p'), is_primary: true }, owner);
    expect(set.body).toMatchObject({ account_link_id: second, is_primary: true, changed: false });
    expect(await primaries()).toEqual([second]);
    await owner.call('POST', `/v1/credentials/${second}/unlink`);
    expect(await primaries()).toEqual([]);
  });

  it('is still one when many are set at once', async () => {
    const owner = await newPerson(server);
    const many = Array.from({ length: 6 }, (_, n) => ({
      ...login(`many-${n}`, 'p'),
      is_primary: true,
    }));
    const answers = await Promise.all(many.map((body) => link(body, owner)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const { body } = await owner.call('GET', '/v1/credentials');
    const primaries = body.items.filter((item: { is_primary: boolean }) => item.is_primary);
    expect(primaries).toHaveLength(1);
  });
});

describe('selected assets (R94, D104, D162)', () => {
  it('are replaced whole, cleared by null, and known to the provider', async () => {
    const id = await linkId(login('assets', 'p'));
    const select = (selected_assets: unknown) =>
      person.call('PUT', `/v1/credentials/${id}/selected-assets`, { selected_assets });
    const one = { bank_account_credential_id: 'a', from_date: '20260101', order: 'asc' };
    expect((await select(one)).body).toEqual({ account_link_id: id, selected_assets: one });
    expect((await select({})).body.selected_assets).toEqual({});
    const { body } = await person.call('GET', `/v1/credentials/${id}`);
    expect(body.selected_assets).toEqual({});
    expect((await select(null)).body.selected_assets).toBeNull();
    expect(await errorOf(select({ nothing: 1 }))).toBe('400 VALIDATION_INVALID_FIELD');
    expect(await errorOf(select({ from_date: 20260101 }))).toBe('400 VALIDATION_INVALID_FIELD');
    expect(await errorOf(select('x'))).toBe('422 VALIDATION_INVALID_FIELD');
    const much = { bank_account_credential_id: '가'.repeat(22_000) };
    expect(await errorOf(select(much))).toBe('400 VALIDATION_INVALID_FIELD');
  });
});

describe('unlinking (D105)', () => {
  it('null is user_request; the same again answers the same (R93)', async () => {
    const labels = { display_label: '홍길동의 통장', business_name: '길동상회' };
    const id = await linkId({ ...login('unlinked', 'p'), ...labels });
    const unlink = (body?: object) => person.call('POST', `/v1/credentials/${id}/unlink`, body);
    expect(await errorOf(unlink({ unlink_reason: 'admin_action' }))).toBe(
      '403 AUTH_FORBIDDEN_PRINCIPAL',
    );
    const first = await unlink({ unlink_reason: null });
    expect(first.body).toMatchObject({ status: 'UNLINKED', unlink_reason: 'user_request' });
    expect((await unlink()).body).toEqual(first.body);
    const { body } = await person.call('GET', `/v1/credentials/${id}`);
    expect(body).toMatchObject({ status: 'UNLINKED', unlink_reason: 'user_request' });
    // No personal data remains in what can still be read.
    expect(JSON.stringify(body)).not.toContain('길동');
    const { body: list } = await person.call('GET', '/v1/credentials?provider=bank_b');
    expect(JSON.stringify(list)).not.toContain(id);
    const again = await link(login('unlinked', 'p'));
    expect([again.status, again.body.account_link_id === id]).toEqual([201, false]);
  });

  it('an admin unlinks anywhere, with the other two reasons', async () => {
    const id = await linkId(login('by-admin', 'p'));
    const path = `/v1/credentials/${id}/unlink`;
    const wrong = asAdmin('POST', path, { unlink_reason: 'user_request' });
    expect(await errorOf(wrong)).toBe('403 AUTH_FORBIDDEN_PRINCIPAL');
    const body = { unlink_reason: 'admin_action' };
    const elsewhere = asAdmin('POST', path, body, { 'x-organization-id': '999999' });
    expect(await errorOf(elsewhere)).toBe('404 ACCOUNT_LINK_NOT_FOUND');
    expect((await asAdmin('POST', path, body)).body.unlink_reason).toBe('admin_action');
  });

  it('cancels what waits, wipes the credential, and lets no submission through (R131)', async () => {
    const slow = await startTestServer({ env: { SANDBOX_DELAY_MS: '200' } });
    const owner = await newPerson(slow);
    const { body: linked } = await owner.call('POST', '/v1/credentials/link', {
      ...login('wiped', 'p'),
      provider: 'bank_a',
    });
    const id = linked.account_link_id;
    const { body: key } = await owner.call('POST', '/v1/app-credentials', { label: 'k' });
    const authorization = `Basic ${Buffer.from(`${key.client_id}:${key.client_secret}`).toString('base64')}`;
    const submit = (name: string) =>
      slow.call('POST', '/v1/jobs', {
        key: name,
        headers: { authorization },
        body: { provider: 'bank_a', action: 'bank_a.accounts.list', account_link_id: id },
      });
    const before = await Promise.all(['a', 'b', 'c', 'd'].map(submit));
    const race = await Promise.all([
      ...['e', 'f', 'g', 'h'].map(submit),
      owner.call('POST', `/v1/credentials/${id}/unlink`),
      ...['i', 'j', 'k', 'l'].map(submit),
    ]);
    const accepted = [...before, ...race].filter(({ status }) => status === 202);
    for (const { body } of accepted) {
      const read = () =>
        slow.call('GET', `/v1/jobs/${body.job_id}`, {
          headers: { authorization, prefer: 'wait=5' },
        });
      let job = await read();
      while (job.body.status === 'RUNNING') job = await read();
      expect(['CANCELED', 'SUCCEEDED']).toContain(job.body.status);
    }
    expect(await errorOf(submit('late'))).toBe('404 ACCOUNT_LINK_NOT_FOUND');
    const after = await slow.core.store.engine.readCallRows({
      organizationId: owner.organizationId,
      accountLinkId: id,
      bankAccountCredentialId: null,
    });
    expect(after.link).toMatchObject({ status: 'UNLINKED', credential: null });
    await slow[Symbol.asyncDispose]();
  });
});
