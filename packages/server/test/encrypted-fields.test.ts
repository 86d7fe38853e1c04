import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import NodeRSA from 'node-rsa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentRsaKey, previousRsaKey } from './fixtures/rsa-oaep/rsa-keys.ts';
import { encrypt } from './support/encrypt.ts';
import { callTool } from './support/mcp-call.ts';
import { errorOf } from './support/outcomes.ts';
import { bearer, newPerson, type Person } from './support/people.ts';
import { type Answer, startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;
let person: Person;
let directory: string;
let publicPem: string;

beforeAll(async () => {
  server = await startTestServer();
  person = await newPerson(server);
  directory = mkdtempSync(join(tmpdir(), 'changgu-oaep-'));
  const { body } = await server.call('GET', '/v1/crypto/public-key');
  const key = createPublicKey({ key: body.keys[0], format: 'jwk' });
  publicPem = key.export({ format: 'pem', type: 'spki' }).toString();
  writeFileSync(join(directory, 'public.pem'), publicPem);
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await server[Symbol.asyncDispose]();
});

let jobs = 0;
function submit(body: object) {
  jobs += 1;
  return server.call('POST', '/v1/jobs', {
    key: `job-${jobs}`,
    body: { provider: 'bank_a', action: 'bank_a.accounts.list', ...body },
  });
}

/** Links a login whose password is `password` as encrypted elsewhere; a re-link tells what was read. */
async function passwordArrives(id: string, password: string, encrypted: string) {
  const body = (login_password: string) => ({
    provider: 'bank_b',
    login_id: encrypt(id),
    login_password,
  });
  const linked = await person.call('POST', '/v1/credentials/link', body(encrypted));
  if (linked.status !== 201) return linked.body.error.code;
  const again = await person.call('POST', '/v1/credentials/link', body(encrypt(password)));
  return again.status === 200 && again.body.changed === false;
}

function byOpenssl(text: string, mgf1: string): string {
  const options = ['rsa_padding_mode:oaep', 'rsa_oaep_md:sha256', `rsa_mgf1_md:${mgf1}`];
  const command = ['pkeyutl', '-encrypt', '-pubin', '-inkey', join(directory, 'public.pem')].concat(
    options.flatMap((option) => ['-pkeyopt', option]),
  );
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 446) {
    pieces.push(execFileSync('openssl', command, { input: bytes.subarray(at, at + 446) }));
  }
  return Buffer.concat(pieces).toString('base64');
}

function byNodeRsa(text: string): string {
  const key = new NodeRSA();
  key.importKey(publicPem, 'pkcs8-public-pem');
  key.setOptions({ encryptionScheme: { scheme: 'pkcs1_oaep', hash: 'sha256' } });
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 446) {
    pieces.push(Buffer.from(key.encrypt(bytes.subarray(at, at + 446))));
  }
  return Buffer.concat(pieces).toString('base64');
}

const STRADDLING = `${'가'.repeat(148)}나다라마`;

describe('values encrypted by others', () => {
  it('446 bytes are one block, 447 are two (R53)', () => {
    for (const encryptOne of [encrypt, byNodeRsa, (text: string) => byOpenssl(text, 'sha256')]) {
      expect(encryptOne('x'.repeat(446))).toHaveLength(684);
      expect(Buffer.from(encryptOne('x'.repeat(447)), 'base64')).toHaveLength(1024);
    }
  });

  it('openssl with MGF1-SHA256 arrives, across the border too (R54, R55)', async () => {
    expect(Buffer.from(STRADDLING).subarray(444, 447).toString()).toBe('나');
    expect(await passwordArrives('openssl', STRADDLING, byOpenssl(STRADDLING, 'sha256'))).toBe(
      true,
    );
  });

  it("MGF1-SHA1, Java's default, does not (R55)", async () => {
    expect(await passwordArrives('java', 'x', byOpenssl('x', 'sha1'))).toBe('CREDENTIAL_INVALID');
  });

  it('node-rsa arrives (R54, R55)', async () => {
    expect(await passwordArrives('node-rsa', STRADDLING, byNodeRsa(STRADDLING))).toBe(true);
  });
});

describe('the rules of encrypted_fields', () => {
  it('refuses what is no text under any name, also one of two lines (D34)', async () => {
    for (const name of ['a', 'a\nb', '\u2028', '']) {
      const encrypted_fields = { [name]: 5 };
      expect(await errorOf(submit({ encrypted_fields }))).toBe('422 VALIDATION_INVALID_FIELD');
      const answer = await callTool(server, 'bank_a__accounts__list', { encrypted_fields });
      expect(JSON.stringify(answer.body)).toContain('VALIDATION_INVALID_FIELD');
    }
  });

  it.each([
    [123, 422],
    [{}, 422],
    [[], 422],
    ['abc!defghijklmnop', 400],
    ['a'.repeat(15), 400],
    ['abcd-efgh_ijklmn', 400],
  ])('R56 %j is %i', async (value, status) => {
    const answer = await submit({ encrypted_fields: { account_password: value } });
    expect([answer.status, answer.body.error.code]).toEqual([status, 'VALIDATION_INVALID_FIELD']);
    expect(answer.body.error.fields[0].loc).toContain('account_password');
  });

  it('sixteen base64 characters are accepted, and sandbox never tries to open them (R56, D62)', async () => {
    const encrypted_fields = { account_password: 'a'.repeat(16) };
    const answer = await submit({ encrypted_fields });
    expect(answer.status).toBe(202);
    expect(await server.ended(answer.body.job_id)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it.each([
    [{ account_password: 'x' }, 400],
    [{ a: { api_key: 1 } }, 400],
    [{ a: [{ accessToken: 1 }] }, 400],
    [{ jumin_no: 1 }, 400],
    [{ businessNo: '1', business_name: 'x', classNote: 'ssn-free' }, 202],
  ])('params %j is %i (R57, R58)', async (params, status) => {
    expect((await submit({ params })).status).toBe(status);
  });

  it('the same name is accepted in encrypted_fields (R57)', async () => {
    const answer = await submit({ encrypted_fields: { account_password: encrypt('1234') } });
    expect(answer.status).toBe(202);
  });

  it('a name in both is accepted, and fails when it runs (R59)', async () => {
    const { status, body } = await submit({
      params: { note: 'x' },
      encrypted_fields: { note: encrypt('x') },
    });
    expect(status).toBe(202);
    expect(await server.ended(body.job_id)).toMatchObject({
      status: 'FAILED',
      error: { code: 'ENCRYPTED_FIELD_DUPLICATE', retryable: false },
    });
  });

  it('a plain value under a neutral name is echoed as sent (R60)', async () => {
    const params = { memo: '1234' };
    const { body } = await submit({ params });
    await server.ended(body.job_id);
    const result = await server.call('GET', `/v1/jobs/${body.job_id}/result`);
    expect(result.body.result.data).toEqual({ mock: true, params_echo: params });
  });

  it('more than 32 blocks in one request are refused (D34)', async () => {
    const block = encrypt('x'.repeat(446 * 17));
    expect(await errorOf(submit({ encrypted_fields: { a: block, b: block } }))).toBe(
      '422 VALIDATION_INVALID_FIELD',
    );
  });
});

describe('the public key (R61, R62)', () => {
  it('is available to every principal, by header or query, and to no one else', async () => {
    const read = (headers: Record<string, string>, query = '') =>
      fetch(new URL(`/v1/crypto/public-key${query}`, server.url), { headers });
    const { authorization = '' } = server.headers();
    expect((await read({ authorization, 'x-env-scope': 'sandbox' })).status).toBe(200);
    expect((await read({ authorization }, '?env_scope=real_test')).status).toBe(200);
    expect((await read({ authorization })).status).toBe(400);
    expect((await read({}, '?env_scope=sandbox')).status).toBe(401);
    for (const headers of [
      { authorization: `Bearer ${person.token}` },
      { authorization: `Bearer ${server.adminToken}` },
      { 'x-api-key': server.legacyApiKey },
    ]) {
      expect((await read(headers, '?env_scope=real_test')).status).toBe(200);
    }
  });
});

it('of an organization that does not exist is answered with 404, and none is made (D87)', async () => {
  const read = (organizationId: number) =>
    server.call('GET', '/v1/crypto/public-key?env_scope=sandbox', {
      headers: { ...bearer(server.adminToken), 'x-organization-id': String(organizationId) },
    });
  expect((await read(server.organizationId)).status).toBe(200);
  expect(await errorOf(read(4_711))).toBe('404 RESOURCE_NOT_FOUND');
  expect(await server.core.store.ringKeys.list('encryption_keys:4711:sandbox')).toEqual([]);
});

describe("another organization's ciphertext (D159)", () => {
  it('is not made with a key that a cache kept for another caller', async () => {
    const { headers } = await server.call('GET', '/v1/crypto/public-key');
    const named = headers.get('vary')?.toLowerCase().split(/, */);
    expect(named).toEqual(
      expect.arrayContaining([
        'authorization',
        'cookie',
        'x-api-key',
        'x-env-scope',
        'x-organization-id',
      ]),
    );
  });

  it('is answered like one that does not decrypt, whatever it holds', async () => {
    const supply = [currentRsaKey, previousRsaKey];
    await using shared = await startTestServer({
      generateEncryptionKey: async () => supply.shift() ?? previousRsaKey,
    });
    const [victim, thief] = [await newPerson(shared), await newPerson(shared)];
    await victim.call('GET', '/v1/crypto/public-key?env_scope=sandbox');
    const stolen = { login_id: encrypt('victim'), login_password: encrypt('secret') };
    const own = await victim.call('POST', '/v1/credentials/link', {
      provider: 'bank_b',
      ...stolen,
    });
    expect(own.status).toBe(201);

    const tried = await thief.call('POST', '/v1/credentials/link', {
      provider: 'bank_b',
      ...stolen,
    });
    const garbage = await thief.call('POST', '/v1/credentials/link', {
      provider: 'bank_b',
      login_id: Buffer.alloc(512, 7).toString('base64'),
      login_password: stolen.login_password,
    });
    const { trace_id: _tried, ...answer } = tried.body.error;
    const { trace_id: _garbage, ...expected } = garbage.body.error;
    expect([tried.status, answer]).toEqual([garbage.status, expected]);
    expect(answer.code).toBe('CREDENTIAL_INVALID');
  });
});

function joined(...values: string[]): string {
  return Buffer.concat(values.map((value) => Buffer.from(value, 'base64'))).toString('base64');
}

function blockOf(value: string, index: number): string {
  return Buffer.from(value, 'base64')
    .subarray(index * 512, (index + 1) * 512)
    .toString('base64');
}

/** Base64 of 1,024 bytes ends in `xx==`: four bits of the second letter are unused. */
function otherLastLetter(value: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const [start, last] = [value.slice(0, -3), value.charAt(value.length - 3)];
  return `${start}${letters.charAt(letters.indexOf(last) + 1)}==`;
}

let bindings = 0;

describe('a ciphertext (D159)', () => {
  const bank = (loginId: string, loginPassword = encrypt('p')) =>
    person.call('POST', '/v1/credentials/link', {
      provider: 'bank_b',
      login_id: encrypt(loginId),
      login_password: loginPassword,
    });
  const answerOf = ({ status, body }: Answer) => [status, body.error?.code ?? null];

  it('serves the field and link it came for, again and again', async () => {
    const password = encrypt('again');
    expect((await bank('binding-1', password)).status).toBe(201);
    expect((await bank('binding-1', password)).status).toBe(200);
  });

  it('is refused for another link and under another name, like one that does not decrypt', async () => {
    const password = encrypt('4821');
    const link = await bank('binding-2', password);
    expect(link.status).toBe(201);
    expect(answerOf(await bank('binding-3', password))).toEqual([422, 'CREDENTIAL_INVALID']);
    const accounts = `/v1/credentials/${link.body.account_link_id}/bank-accounts`;
    const account = { account_no: encrypt('110987654321'), account_password: password };
    expect(answerOf(await person.call('POST', accounts, account))).toEqual([
      422,
      'CREDENTIAL_INVALID',
    ]);
    const probing = await person.call('POST', '/v1/credentials/link', {
      provider: 'bank_b',
      login_id: password,
      login_password: encrypt('p'),
    });
    expect(answerOf(probing)).toEqual([422, 'CREDENTIAL_INVALID']);
  });

  it.each([
    ['without its padding', (value: string) => value.replace(/=+$/, '')],
    ['with other unused bits in its last letter', (value: string) => otherLastLetter(value)],
    ['with a block of nothing behind it', (value: string) => joined(value, encrypt(''))],
    ['with a block of nothing before it', (value: string) => joined(encrypt(''), value)],
    ['as one block cut out of it', (value: string) => blockOf(value, 1)],
  ])('is refused for another link %s (D159)', async (_how, respell) => {
    bindings += 1;
    const password = encrypt('s'.repeat(500));
    const mine = `respelled-${bindings}`;
    expect((await bank(mine, password)).status).toBe(201);
    const answer = await bank(`${mine}-other`, respell(password));
    expect(answerOf(answer)).toEqual([422, 'CREDENTIAL_INVALID']);
  });
});
