import { generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fetch } from '@changgu/sdk';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ links: true });
  const { email, password } = service.server.console;
  await service.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
});
afterAll(() => service[Symbol.asyncDispose]());
const run: Service['home']['run'] = (argv, options) => service.home.run(argv, options);
const json = async (...argv: string[]) => JSON.parse((await run([...argv, '--json'])).stdout);

describe('actions', () => {
  it('are listed and searched in both languages', async () => {
    expect((await run(['actions', 'list', '-o', 'id'])).stdout.split('\n').length).toBeGreaterThan(
      30,
    );
    const found = await run(['actions', 'list', '--search', 'C은행 거래내역', '-o', 'id']);
    expect(found.stdout).toBe('bank_c.accounts.transaction_history.search\n');
    const decomposed = 'C은행 거래내역'.normalize('NFD');
    expect((await run(['actions', 'list', '--search', decomposed, '-o', 'id'])).stdout).toBe(
      found.stdout,
    );
    expect(
      (await run(['actions', 'list', '--provider', 'bank_a', '--lang', 'en'])).stdout,
    ).toContain('Bank A');
  });

  it('show params, schema and an example that works', async () => {
    const action = await json('actions', 'show', 'si_edi.b1.resources.faqs.detail');
    expect(action).toMatchObject({
      action: 'si_edi.b1.resources.faqs.detail',
      params: { required: ['qstn_sn'] },
    });
    const [, ...example] = action.example.split(' ');
    expect((await run(example)).code).toBe(0);
    const text = await run(['actions', 'show', 'bank_b.accounts.transaction_history.search']);
    expect(text.stdout).toContain('direction\tall | in | out');
    expect((await run(['actions', 'show', 'bank_b.accounts'])).code).toBe(2);
  });

  it('show params and names of types in the language of the run', async () => {
    const show = async (action: string, lang: string, format: string) =>
      (await run(['actions', 'show', action, '--lang', lang, '-o', format])).stdout;
    const certificate = 'tax_portal.c1.national_tax_payment';
    const korean = await show(certificate, 'ko', 'table');
    expect(korean).toContain('증명의 제출처: 01 금융기관, 02 관공서');
    expect(korean).toMatch(/ 정수\n/);
    expect(korean).not.toMatch(/receives|Language|integer/);
    const english = await show(certificate, 'en', 'table');
    expect(english).toContain('Who receives it (제출처): 01 financial institution (금융기관)');
    expect(english).toMatch(/ integer\n/);
    // Programs read the names of JSON Schema.
    expect(await show(certificate, 'ko', 'tsv')).toContain('copies\tinteger\tfalse\t발급 수량');
  });
});

describe('links and bank accounts', () => {
  it('create, get, select, unlink: every secret encrypted, none in argv', async () => {
    const dir = service.home.dir;
    await writeFile(join(dir, 'id.txt'), 'hongkildong\n');
    const created = await run(
      [
        'links',
        'create',
        'bank_a',
        '--login',
        '--label',
        '부가세',
        '--secret',
        'login_id=@id.txt',
        '--secret',
        'login_password=@-',
        '--biz-number',
        '1234567891',
      ],
      { stdin: 'pass-word-1' },
    );
    expect(created.code).toBe(0);
    const id = created.stdout.trim();
    expect(await json('links', 'get', id)).toMatchObject({
      account_link_id: id,
      display_label: '부가세',
      status: 'ACTIVE',
    });
    expect(await json('links', 'list', '--provider', 'bank_a')).toContainEqual(
      expect.objectContaining({ account_link_id: id }),
    );
    expect((await run(['links', 'select', id, '{"nonsense":1}'])).code).toBe(1);
    expect((await run(['links', 'select', id])).code).toBe(0);

    const added = await run(
      [
        'bank-accounts',
        'add',
        id,
        '--secret',
        'account_no=@-',
        '--secret',
        'account_password=@pw.txt',
      ],
      { stdin: '110123456789' },
    );
    expect(added.code).toBe(2); // pw.txt is not there
    await writeFile(join(dir, 'pw.txt'), '1234');
    const account = await run(
      [
        'bank-accounts',
        'add',
        id,
        '--secret',
        'account_no=@-',
        '--secret',
        'account_password=@pw.txt',
      ],
      { stdin: '110123456789' },
    );
    const [accountId = '', masked] = account.stdout.split('\t');
    expect(masked).toBe('110*****6789');
    expect(await json('bank-accounts', 'get', id, accountId)).toMatchObject({ is_default: true });
    expect(
      (
        await run([
          'bank-accounts',
          'password',
          id,
          accountId,
          '--secret',
          'account_password=@pw.txt',
        ])
      ).code,
    ).toBe(0);
    expect((await run(['bank-accounts', 'default', id, accountId])).code).toBe(0);
    expect((await run(['bank-accounts', 'remove', id, accountId])).code).toBe(2);
    expect((await run(['bank-accounts', 'remove', id, accountId, '-y'])).code).toBe(0);
    expect(await json('bank-accounts', 'list', id)).toEqual([]);

    expect((await run(['links', 'unlink', id])).stderr).toContain('--yes');
    expect(
      JSON.parse((await run(['links', 'unlink', id, '--yes', '--json'])).stdout),
    ).toMatchObject({ status: 'UNLINKED' });
  });

  it('makes links of one login for two purposes, and says which is which (D160)', async () => {
    const { dir } = service.home;
    await writeFile(join(dir, 'id.txt'), 'gildong\n');
    const secrets = ['--secret', 'login_id=@id.txt', '--secret', 'login_password=@-'];
    const command = ['links', 'create', 'bank_c', '--login', ...secrets];
    const create = async (...more: string[]) => {
      const made = await run([...command, ...more], { stdin: 'pass-word-1' });
      expect(made.stderr).toBe('');
      return made.stdout.trim();
    };
    const [real, test, usual] = [
      await create('--purpose', 'real'),
      await create('--purpose', 'test'),
      await create(),
    ];
    // The simulated institutions have no production address.
    expect([real === test, usual]).toEqual([false, test]);
    expect(await json('links', 'get', real)).toMatchObject({ purpose: 'real' });
    expect(await json('links', 'list', '--provider', 'bank_c')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ account_link_id: real, purpose: 'real' }),
        expect.objectContaining({ account_link_id: test, purpose: 'test' }),
      ]),
    );
    expect((await run([...command, '--purpose', 'both'])).code).toBe(2);
    for (const id of [real, test])
      expect((await run(['links', 'unlink', id, '--yes'])).code).toBe(0);
  });

  it('links a certificate and its key from one file', async () => {
    const { dir } = service.home;
    const fixtures = new URL('../../server/test/fixtures/certificates/', import.meta.url);
    await copyFile(new URL('aes-256.p12', fixtures), join(dir, 'person.pfx'));
    await copyFile(new URL('password.txt', fixtures), join(dir, 'p12-password.txt'));
    const command = ['links', 'create', 'tax_portal', '--p12', 'person.pfx', '--json'];
    const created = await run([...command, '--secret', 'encrypted_pw=@p12-password.txt']);
    expect(created.stderr).toBe('');
    const { account_link_id: id, auth_type } = JSON.parse(created.stdout);
    expect(auth_type).toBe('certificate');
    expect((await run(['links', 'unlink', id, '--yes'])).code).toBe(0);
  });

  it('refuses an unknown kind of link, and a secret on the command line', async () => {
    expect((await run(['links', 'create', 'bank_a'])).code).toBe(2);
    expect((await run(['links', 'create', 'bank_a', '--cert', 'x.der'])).code).toBe(2);
    const both = ['--cert', 'x.der', '--key', 'x.key', '--p12', 'x.pfx'];
    expect((await run(['links', 'create', 'bank_a', ...both])).code).toBe(2);
    const plain = await run([
      'links',
      'create',
      'bank_a',
      '--login',
      '--secret',
      'login_password=hunter2',
    ]);
    expect(plain.code).toBe(2);
    expect(plain.stderr).not.toContain('hunter2');
    expect(
      (await run(['links', 'create', 'bank_a', '--login', '--secret', 'passwd=@-'])).stderr,
    ).toContain('login_id, login_password');
  });

  it('consent-url says what the service says', async () => {
    const { code, stderr } = await run([
      'links',
      'consent-url',
      'bank_d',
      '--features',
      'accounts',
    ]);
    // This server has no institutions to consent at.
    expect(code).toBe(1);
    expect(stderr).toContain('PROVIDER_NOT_CONFIGURED');
    expect((await run(['links', 'consent-url', 'bank_a'])).stderr).toContain(
      '사용할 수 없는 연결 방식',
    );
  });
});

describe('keys and quota', () => {
  it('issues a key once, lists it, and revokes it permanently', async () => {
    const issued = await run([
      'app-credentials',
      'issue',
      'nightly',
      '--env',
      'sandbox',
      '--read-only',
      '--json',
    ]);
    expect(issued.code).toBe(0);
    const { client_id: id, client_secret: secret } = JSON.parse(issued.stdout);
    const env = { CHANGGU_CLIENT_ID: id, CHANGGU_CLIENT_SECRET: secret };
    expect((await run(['jobs', 'list'], { env })).code).toBe(0);
    expect(await json('app-credentials', 'list')).toContainEqual(
      expect.objectContaining({ client_id: id, read_only: true }),
    );
    expect((await run(['app-credentials', 'revoke', id])).code).toBe(2);
    const tty = { stdout: true, stderr: true, columns: 120 } as const;
    const asked = await run(['app-credentials', 'revoke', id], { tty, keys: ['', 'n'] });
    expect(asked).toMatchObject({ code: 130, stdout: '' });
    expect(asked.stderr).toContain(`키 "nightly"(${id})을(를) 폐기합니다`);
    expect((await run(['app-credentials', 'revoke', id, '-y'])).stdout).toBe(`${id}\tREVOKED\n`);
    expect((await run(['jobs', 'list'], { env })).code).toBe(4);
  });

  it.each([
    ['-o', 'id'],
    ['--json=client_id'],
    ['--json=client_id,client_secrett'],
    ['--jq', '.client_id'],
  ])('issues no key whose secret %s %s would lose', async (...output) => {
    const before = await json('app-credentials', 'list');
    const refused = await run(['app-credentials', 'issue', 'lost', ...output]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(await json('app-credentials', 'list')).toEqual(before);
  });

  it('membership', async () => {
    expect(await json('membership')).toMatchObject({
      principal_kind: 'client',
      rate_limit_after: { limit: 6000 },
    });
  });

  it('encrypt works without a network when it has the keys, and its value is what the service decrypts', async () => {
    const jwks = await json('keys');
    expect(jwks.keys[0]).toMatchObject({ use: 'enc' });
    await writeFile(join(service.home.dir, 'keys.json'), JSON.stringify(jwks));
    const env = { CHANGGU_BASE_URL: 'http://127.0.0.1:9' };
    const one = await run(['encrypt', '--key', 'keys.json'], { stdin: '1234', env });
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(Buffer.from(one.stdout, 'base64')).toHaveLength(512);
    const many = await run(['encrypt', '--key', 'keys.json', '--field', 'account_password=@-'], {
      stdin: '1234',
      env,
    });
    expect(Object.keys(JSON.parse(many.stdout))).toEqual(['account_password']);
    expect((await run(['encrypt', '--key', 'keys.json', '--field', 'a=plain'], { env })).code).toBe(
      2,
    );
    expect(
      (await run(['encrypt', '--field', 'a=@-', '--field', 'b=@-'], { stdin: 'x' })).code,
    ).toBe(2);
  });
});

it('encrypt leaves out the newline at the end of a file, as --secret does', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 4096 });
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'enc', alg: 'RSA-OAEP-256' };
  await writeFile(join(service.home.dir, 'own-keys.json'), JSON.stringify({ keys: [key] }));
  const { stdout } = await run(['encrypt', '--key', 'own-keys.json'], { stdin: 'secret 1234\r\n' });
  const opened = privateDecrypt(
    { key: privateKey, oaepHash: 'sha256' },
    Buffer.from(stdout, 'base64'),
  );
  expect(opened.toString()).toBe('secret 1234');
});

describe('products and invoices', () => {
  it('are listed page by page', async () => {
    const fake = new FakeService();
    const limits: (string | null)[] = [];
    fake.route(({ method, path, query }) => {
      if (method !== 'GET' || !/^\/v1\/(products|billing\/invoices)/.test(path)) return null;
      if (/\/\d+$/.test(path)) return { status: 200, body: { id: 1, invoice_id: 1, code: 'one' } };
      limits.push(query.get('limit'));
      const first = query.get('cursor') === null;
      const items = first
        ? [
            { id: 1, invoice_id: 1 },
            { id: 2, invoice_id: 2 },
          ]
        : [{ id: 3, invoice_id: 3 }];
      return { status: 200, body: { items, next_cursor: first ? 'more' : null } };
    });
    await using home = await testHome({
      CHANGGU_BASE_URL: fake.baseUrl,
      CHANGGU_CLIENT_ID: fake.clientOptions.clientId,
      CHANGGU_CLIENT_SECRET: fake.clientOptions.clientSecret,
    });
    const { fetch } = fake;
    expect((await home.run(['products', 'list', '-o', 'id'], { fetch })).stdout).toBe('1\n2\n3\n');
    expect((await home.run(['products', 'list', '-L', '2', '-o', 'id'], { fetch })).stdout).toBe(
      '1\n2\n',
    );
    expect(
      (await home.run(['invoices', 'list', '-s', 'OPEN', 'PAID', '-o', 'id'], { fetch })).stdout,
    ).toBe('1\n2\n3\n');
    expect(limits).toEqual(['100', '100', '3', '3', '21', '21']);
    expect((await home.run(['products', 'get', '1', '--json=code'], { fetch })).stdout).toContain(
      '"one"',
    );
    // A product's code names it; only a failure has an error code.
    const korean = await home.run(['products', 'get', '1', '-o', 'table'], { fetch });
    expect(korean.stdout).toMatch(/^코드 +one$/m);
    expect((await home.run(['invoices', 'get', '1', '-o', 'id'], { fetch })).stdout).toBe('1\n');
  });
});

it.each(['products', 'invoices'])(
  'reports %s of another shape instead of an empty list, and stops at cursors that repeat',
  async (what) => {
    const list = (body: object) =>
      service.home.run([what, 'list', '--json'], { fetch: async () => Response.json(body) });
    expect(await list({ page: 'of a proxy' })).toMatchObject({ code: 1 });
    let page = 0;
    const fetch: Fetch = async () => {
      page += 1;
      return Response.json({ items: [], next_cursor: page % 2 === 0 ? 'a' : 'b' });
    };
    expect(await service.home.run([what, 'list', '--json'], { fetch })).toMatchObject({ code: 1 });
    expect(page).toBeLessThan(5);
  },
);

describe('artifacts', () => {
  it('are listed, saved whole under a safe name, streamed, and deleted', async () => {
    const bytes = new TextEncoder().encode('날짜,금액\n2026-11-21,1000\n');
    const action = 'bank_b.accounts.transaction_history.search';
    const fake = new FakeService().willEnd(action, {
      state: 'SUCCEEDED',
      data: null,
      files: [
        { name: '../../거래내역_20261121.csv', bytes },
        { name: '.hidden', bytes },
      ],
    });
    await using home = await testHome({
      CHANGGU_BASE_URL: fake.baseUrl,
      CHANGGU_CLIENT_ID: fake.clientOptions.clientId,
      CHANGGU_CLIENT_SECRET: fake.clientOptions.clientSecret,
    });
    const io = { fetch: fake.fetch, clock: fake.clock };
    const go = (argv: string[], more = {}) =>
      fake.clock.runUntil(home.run(argv, { ...io, ...more }));
    const { stdout } = await go(['jobs', 'submit', action, '--wait', '--json']);
    const jobId = JSON.parse(stdout).job_id;

    expect((await go(['artifacts', 'list', jobId])).stdout).toContain(
      '../../거래내역_20261121.csv',
    );
    await mkdir(join(home.dir, 'out'));
    const saved = await go(['artifacts', 'download', jobId, '--to', 'out', '-o', 'id']);
    expect(saved.stdout.split('\n')[0]).toBe(join(home.dir, 'out', '_.._거래내역_20261121.csv'));
    expect(await readFile(join(home.dir, 'out', 'hidden'))).toEqual(Buffer.from(bytes));
    const again = await go(['artifacts', 'download', jobId, '--to', 'out']);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain('--force');
    expect((await go(['artifacts', 'download', jobId, '--to', 'out', '--force'])).code).toBe(0);

    expect((await go(['artifacts', 'download', jobId, '--to', '-'])).code).toBe(2);
    const one = ['artifacts', 'download', jobId, '--name', '.hidden', '--to', '-'];
    expect((await go(one)).stdout).toBe(new TextDecoder().decode(bytes));
    expect((await go(one, { tty: { stdout: true } })).code).toBe(2);
    expect((await go(['artifacts', 'download', jobId, '--name', '.hiden'])).stderr).toContain(
      '혹시 .hidden입니까?',
    );
    expect((await go(['artifacts', 'delete', jobId, '-y', '--json'])).stdout).toContain(
      '"deleted_count": 2',
    );
  });
});

describe('api', () => {
  it('sends anything with the credentials, and shows it with --dry-run', async () => {
    const jobs = await run(['api', 'GET', '/v1/jobs', '-F', 'limit=1']);
    expect(JSON.parse(jobs.stdout)).toHaveProperty('next_cursor');
    const made = await run([
      'api',
      'post',
      '/v1/jobs',
      '-f',
      'provider=bank_a',
      '-f',
      'action=bank_a.accounts.list',
      '--idempotency-key',
      'api-1',
    ]);
    expect(JSON.parse(made.stdout)).toMatchObject({ action: 'bank_a.accounts.list' });
    const dry = await run(['api', 'POST', '/v1/jobs', '-d', '@-', '-F', 'n=1', '-n'], {
      stdin: '{"a":[1]}',
    });
    expect(JSON.parse(dry.stdout)).toMatchObject({ method: 'POST', body: { a: [1], n: 1 } });
    expect((await run(['api', 'GET', '/v1/nothing'])).code).toBe(1);
    expect((await run(['api', 'FETCH', '/v1/jobs'])).code).toBe(2);
    expect((await run(['api', 'GET', '//evil.test/'])).code).toBe(2);
  });
});
