import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FakeService } from '@changgu/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  certificateFile,
  certificatePassword,
} from '../../server/test/fixtures/certificates/certificate-files.ts';
import { testHome } from './support/run.ts';
import { type Service, startService } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ links: true });
  const { email, password } = service.server.console;
  await service.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
  const { dir } = service.home;
  await writeFile(join(dir, 'signCert.der'), certificateFile('person.der'));
  await writeFile(join(dir, 'signPri.key'), certificateFile('seed-sha256.key'));
  await writeFile(join(dir, 'key-password.txt'), `${certificatePassword}\n`);
  await writeFile(join(dir, 'id.txt'), 'payroll\n');
});
afterAll(() => service[Symbol.asyncDispose]());
const run: Service['home']['run'] = (argv, options) => service.home.run(argv, options);

const OF_CERTIFICATE =
  'links create tax_portal --cert signCert.der --key signPri.key --secret encrypted_pw=@key-password.txt'.split(
    ' ',
  );
const OF_LOGIN = '--login --secret login_id=@id.txt --secret login_password=@-'.split(' ');

describe('links create', { timeout: 30_000 }, () => {
  it('takes a certificate and its key from two files, and lists every institution that it reaches', async () => {
    const tty = { stdout: true, columns: 100 } as const;
    const { code, stdout, stderr } = await run([...OF_CERTIFICATE, '--no-color'], { tty });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const listed = [...stdout.matchAll(/기관: (\w+), 연결: [0-9a-f-]{36}$/gm)];
    const reached = ['bank_a', 'bank_b', 'bank_c', 'bank_d', 'employment', 'si_edi'];
    expect(new Set(listed.map(([, provider]) => provider))).toEqual(new Set(reached));
    expect(stdout).toMatch(/함께 연결된 기관 +기관: /);
    expect(stdout).not.toContain('{');
    expect(stdout).toMatch(/^용도 +test$/m);
  });

  it('refuses a key of another certificate, and a password that does not open the key', async () => {
    await writeFile(join(service.home.dir, 'wrong.txt'), 'wrong\n');
    const wrong = await run([...OF_CERTIFICATE.slice(0, -1), 'encrypted_pw=@wrong.txt']);
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toContain('CREDENTIAL_INVALID');
    await writeFile(join(service.home.dir, 'other.der'), certificateFile('corporation.der'));
    const mixed = OF_CERTIFICATE.map((word) => (word === 'signCert.der' ? 'other.der' : word));
    expect((await run(mixed)).stderr).toContain('개인키가 인증서와 일치하지 않습니다');
  });

  it.each([
    ['bank_bb', '혹시 bank_b입니까?'],
    ['employment', '사용할 수 없는 연결 방식'],
  ])('checks %s before it asks for a password', async (provider, words) => {
    const asked = await run(['links', 'create', provider, '--login'], {
      tty: { stderr: true },
      keys: ['id\r', 'password\r'],
    });
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(words);
    expect(asked.stderr).not.toMatch(/로그인 ID|비밀번호/);
  });
});

describe('links unlink', () => {
  it('shows the institution and the label of what it is about to unlink', async () => {
    const label = ['--label', '급여 계좌'];
    const made = await run(['links', 'create', 'bank_b', ...OF_LOGIN, ...label], { stdin: 'pw-1' });
    const id = made.stdout.trim();
    const asked = await run(['links', 'unlink', id], { tty: { stderr: true }, keys: ['n'] });
    expect(asked.stderr).toContain(`bank_b 연결 "급여 계좌"(${id})을(를) 해제`);
    const { stdout } = await run(['links', 'get', id, '--json=status']);
    expect(JSON.parse(stdout)).toEqual({ status: 'ACTIVE' });
  });
});

describe('links list', () => {
  const DAY_MS = 86_400_000;
  const fake = new FakeService();

  it('says when certificates end and how old links are, by the time of the run', async () => {
    const { clock } = fake;
    await clock.advance(365 * DAY_MS);
    const at = (days: number) =>
      new Date(clock.now() + days * DAY_MS + 9 * 3_600_000 + 60_000)
        .toISOString()
        .replace('Z', '+09:00');
    const link = (id: string, status: string, notAfter: string | null, registeredAt: string) => ({
      account_link_id: id,
      provider: 'bank_b',
      status,
      auth_type: notAfter === null ? 'id_password' : 'certificate',
      display_label: null,
      is_primary: true,
      purpose: 'real',
      cert:
        notAfter === null
          ? null
          : {
              subject_cn: '한강유통',
              issuer: 'yessignCA',
              serial: '1',
              oid: null,
              not_after: notAfter,
            },
      registered_at: registeredAt,
      biz_number: null,
      business_name: null,
      selected_assets: null,
      unlinked_at: null,
      unlink_reason: null,
    });
    fake.route(({ path }) =>
      path === '/v1/credentials'
        ? {
            status: 200,
            body: {
              items: [
                link('link-1', 'ACTIVE', at(9), at(-40)),
                link('link-2', 'ACTIVE', at(200), at(-3)),
                link('link-3', 'ACTIVE', null, at(-1)),
                link('link-4', 'UNLINKED', at(9), at(-90)),
              ],
            },
          }
        : null,
    );
    await using home = await testHome({
      CHANGGU_BASE_URL: fake.baseUrl,
      CHANGGU_CLIENT_ID: 'cli_fake',
      CHANGGU_CLIENT_SECRET: 'fake-secret',
      TERM: 'xterm',
      NO_COLOR: '1',
    });
    const list = (columns: number) =>
      clock.runUntil(
        home.run(['links', 'list'], {
          fetch: fake.fetch,
          clock,
          tty: { stdout: true, columns },
        }),
      );
    const { stdout, stderr } = await list(120);
    expect(stdout).toMatch(/^link-1 .*9일 후.*(39|40)일 전/m);
    expect(stdout).toMatch(/^link-2 .*200일 후.*(2일|3일|그저께|그끄저께) ?전?/m);
    expect(stdout).toMatch(/^link-3 .* - /m);
    expect(stderr).toContain('인증서가 1개 있습니다');
    // What has to be renewed is the last to go from a narrow terminal.
    expect((await list(60)).stdout).toMatch(/^link-1 .*9일 후/m);
  });
});

describe('bank-accounts list without a link', () => {
  it('is the accounts of every link, each with its institution', async () => {
    const secrets = ['--secret', 'account_no=@-', '--secret', 'account_password=@pw.txt'];
    await writeFile(join(service.home.dir, 'pw.txt'), '1234');
    const made: string[] = [];
    for (const [provider, number] of [
      ['bank_a', '110123456789'],
      ['bank_c', '220123456789'],
      ['bank_d', '330123456789'],
    ] as const) {
      const linked = await run(['links', 'create', provider, ...OF_LOGIN], { stdin: 'pw-1' });
      const id = linked.stdout.trim();
      made.push(id);
      const added = await run(['bank-accounts', 'add', id, ...secrets], { stdin: number });
      expect(added.stderr).toBe('');
    }
    expect((await run(['links', 'unlink', made[2] ?? '', '--yes'])).code).toBe(0);
    const fields = '--json=provider,masked_account_no,account_link_id';
    const { stdout, stderr } = await run(['bank-accounts', 'list', fields]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { provider: 'bank_a', masked_account_no: '110*****6789', account_link_id: made[0] },
        { provider: 'bank_c', masked_account_no: '220*****6789', account_link_id: made[1] },
      ]),
    );
    expect(stdout).not.toContain('330*****6789');
  });
});

describe('a filter that names what there is not', () => {
  const NO_LINK = '00000000-0000-4000-8000-000000000000';

  it.each([
    [['jobs', 'list', '--link', NO_LINK], 1, 'ACCOUNT_LINK_NOT_FOUND'],
    [['jobs', 'list', '--link', 'bank_b'], 1, 'ACCOUNT_LINK_NOT_FOUND'],
    [['events', 'tail', '--link', NO_LINK, '--timeout', '1s'], 1, 'ACCOUNT_LINK_NOT_FOUND'],
    [['events', 'tail', '--job', 'jb_1', '--timeout', '1s'], 2, '작업 ID가 아닙니다: jb_1'],
  ])('is refused, because its empty answer would look like one: %j', async (argv, code, words) => {
    const ran = await run(argv);
    expect(ran).toMatchObject({ code, stdout: '' });
    expect(ran.stderr).toContain(words);
  });

  it('is asked about only by who may read links', async () => {
    const { baseUrl, fetch } = new FakeService();
    const forbidden: typeof fetch = async (input, init) => {
      if (!String(input instanceof Request ? input.url : input).includes('/v1/credentials/'))
        return fetch(input, init);
      const error = { code: 'AUTH_FORBIDDEN_PRINCIPAL', message: '-', trace_id: 'trc_1' };
      return Response.json({ error }, { status: 403 });
    };
    const options = { env: { CHANGGU_BASE_URL: baseUrl }, fetch: forbidden };
    const ran = await run(['jobs', 'list', '--link', NO_LINK, '--json'], options);
    expect(ran).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('may be a link that was unlinked', async () => {
    const linked = await run(['links', 'create', 'bank_a', ...OF_LOGIN], { stdin: 'pw-1' });
    const id = linked.stdout.trim();
    await run(['links', 'unlink', id, '--yes']);
    expect(await run(['jobs', 'list', '--link', id])).toMatchObject({ code: 0, stderr: '' });
  });
});
