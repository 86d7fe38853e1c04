import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoCertificates } from '@changgu/simulators';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCertificate } from '../src/certificates/open-certificate.ts';
import { currentRsaKey } from './fixtures/rsa-oaep/rsa-keys.ts';
import { encrypt } from './support/encrypt.ts';
import { bearer, callerWith, newPerson } from './support/people.ts';
import { startTestServer, type TestServer } from './support/start-server.ts';

const LOGIN_ID = 'login-id-never-shown';
const LOGIN_PASSWORD = 'login-password-never-shown';
const ACCOUNT_NUMBER = '11098765432109';
const PASSWORD = 'console password never shown';
const FIELD = 'field-value-never-shown';

const log: string[] = [];
const answers: string[] = [];
const secrets: Record<string, string | Buffer> = {
  LOGIN_ID,
  LOGIN_PASSWORD,
  ACCOUNT_NUMBER,
  PASSWORD,
  FIELD,
  'certificate password': demoCertificates.corporation.password,
};
/** What an answer shows once, to whoever asked for it. */
const shownOnce: Record<string, string> = {};

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ log });
  await useEverything();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

/** One secret of every kind goes through the service, on good ways and on bad ones. */
async function useEverything(): Promise<void> {
  const person = await newPerson(server);
  await person.call('POST', '/v1/me/password', {
    current_password: person.password,
    new_password: PASSWORD,
  });
  const { body: session } = await server.call('POST', '/v1/auth/login', {
    body: { email: person.email, password: PASSWORD },
  });
  shownOnce.token = session.access_token;
  const keep = async (answer: Promise<{ body: unknown }>) => {
    const { body } = await answer;
    answers.push(JSON.stringify(body));
    return JSON.parse(JSON.stringify(body));
  };
  const call = callerWith(server, session.access_token);
  const demo = demoCertificates.corporation;
  const certificate = {
    cert_data: encrypt(demo.certificateDer),
    key_data: encrypt(demo.encryptedKeyDer),
    encrypted_pw: encrypt(demo.password),
  };
  const login = {
    provider: 'bank_b',
    login_id: encrypt(LOGIN_ID),
    login_password: encrypt(LOGIN_PASSWORD),
  };
  await keep(call('POST', '/v1/credentials/link', certificate));
  await keep(call('POST', '/v1/credentials/link', { ...certificate, cert_data: encrypt('no') }));
  const link = await keep(call('POST', '/v1/credentials/link', login));
  const other = { ...login, login_password: encrypt(`${LOGIN_PASSWORD} 2`) };
  await keep(call('POST', '/v1/credentials/link', other));
  const accounts = `/v1/credentials/${link.account_link_id}/bank-accounts`;
  const account = { account_no: encrypt(ACCOUNT_NUMBER), account_password: encrypt('1234') };
  await keep(call('POST', accounts, account));
  await keep(call('POST', accounts, account));
  await keep(call('POST', accounts, { ...account, account_password: encrypt(FIELD) }));
  await keep(call('GET', '/v1/credentials'));
  const { body: key } = await call('POST', '/v1/app-credentials', { label: 'k' });
  shownOnce['client secret'] = key.client_secret;
  const { body: legacy } = await server.call('POST', '/v1/admin/legacy-api-keys', {
    headers: bearer(server.adminToken),
    body: { organization_id: person.organizationId, env_scope: 'sandbox', label: 'l' },
  });
  shownOnce['api key'] = legacy.api_key;
  const job = await keep(
    server.call('POST', '/v1/jobs', {
      key: 'secret',
      body: {
        provider: 'bank_a',
        action: 'bank_a.accounts.list',
        encrypted_fields: { account_password: encrypt(FIELD) },
      },
    }),
  );
  await server.ended(job.job_id);
  await keep(server.call('GET', `/v1/jobs/${job.job_id}/result`));
  await badWays(session.access_token, key);
  const opened = await openCertificate(
    {
      certificate: demo.certificateDer,
      encryptedKey: demo.encryptedKeyDer,
      password: demo.password,
    },
    Date.now(),
  );
  secrets['private key'] = Buffer.from(opened.privateKeyDer);
  secrets['private key, base64'] = Buffer.from(opened.privateKeyDer).toString('base64');
  secrets['RSA key'] = currentRsaKey.export({ format: 'der', type: 'pkcs8' });
  secrets['master key'] = (await readFile(join(server.dataDir, 'master-key'), 'utf8')).trim();
}

/** Secrets where they do not belong, and requests that fail. */
async function badWays(token: string, key: { client_id: string; client_secret: string }) {
  const at = (path: string, init: RequestInit) => fetch(new URL(path, server.url), init);
  const json = { 'content-type': 'application/json' };
  const login = (body: string) => at('/v1/auth/login', { method: 'POST', headers: json, body });
  answers.push(await (await login(`{"email":"a","password":"${PASSWORD}`)).text());
  answers.push(await (await login(JSON.stringify({ email: PASSWORD, password: PASSWORD }))).text());
  answers.push(await (await login(JSON.stringify({ email: 1, password: [PASSWORD] }))).text());
  const pair = `${key.client_id}:${key.client_secret}`;
  for (const authorization of [`Bearer ${token}x`, `Basic ${btoa(`${pair}x`)}`, `Digest ${pair}`]) {
    answers.push(await (await at('/v1/jobs', { headers: { authorization } })).text());
  }
  answers.push(await (await at(`/v1/nowhere?token=${token}`, {})).text());
}

async function everyFile(directory: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of await readdir(directory)) {
    if (name === 'master-key') continue;
    files.set(name, await readFile(join(directory, name)));
  }
  return files;
}

it('no secret lies in the database, its WAL or anything beside it (D64)', async () => {
  const files = await everyFile(server.dataDir);
  expect([...files.keys()]).toEqual(expect.arrayContaining(['changgu.db', 'changgu.db-wal']));
  for (const [file, bytes] of files) {
    for (const [name, secret] of Object.entries({ ...secrets, ...shownOnce })) {
      expect(bytes.includes(secret), `${name} in ${file}`).toBe(false);
    }
  }
});

it('writes no secret into a log line, an answer or a metric (D64)', async () => {
  const metrics = await (await fetch(new URL('/metrics', server.url))).text();
  expect(log.length).toBeGreaterThan(20);
  const places = { log: log.join('\n'), answers: answers.join('\n'), metrics };
  const texts = Object.entries({ ...secrets, ...shownOnce }).flatMap(([name, secret]) =>
    typeof secret === 'string' ? [[name, secret] as const] : [],
  );
  for (const [place, text] of Object.entries(places)) {
    for (const [name, secret] of texts) {
      expect(text.includes(secret), `${name} in ${place}`).toBe(false);
    }
  }
});
