/** Files of this program that are not what they should be, and places where none can be written. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FakeService } from '@changgu/sdk/testing';
import { describe, expect, it } from 'vitest';
import { type Ran, type RunOptions, type TestHome, testHome } from '../support/run.ts';

const CONFIG = '.config/changgu/config.toml';
const ACTION = 'bank_b.accounts.list';

function envOf({ baseUrl, clientOptions }: FakeService) {
  return {
    CHANGGU_BASE_URL: baseUrl,
    CHANGGU_CLIENT_ID: clientOptions.clientId ?? '',
    CHANGGU_CLIENT_SECRET: clientOptions.clientSecret ?? '',
  };
}

const run = (
  { fetch, clock }: FakeService,
  home: TestHome,
  argv: string[],
  options: RunOptions = {},
): Promise<Ran> => clock.runUntil(home.run(argv, { fetch, clock, ...options }));

describe('a configuration file', () => {
  it.each([
    ['is a directory', (file: string) => mkdir(file), '파일이 아니라 디렉터리입니다'],
    [
      'is not UTF-8',
      (file: string) =>
        writeFile(
          file,
          Buffer.from('# 창구 \xb0\xa1\n[profiles.a]\nemail = "\xb0\xa1"\n', 'latin1'),
        ),
      'UTF-8로 저장된 파일이 아닙니다',
    ],
    [
      'is a symbolic link that leads nowhere',
      (file: string) => symlink('/nowhere/config.toml', file),
      '심볼릭 링크가 가리키는 파일이 없습니다',
    ],
    ['is no TOML', (file: string) => writeFile(file, 'a = = b\n'), 'Invalid TOML'],
  ])('that %s is named: 2, nothing is sent', async (_, make, why) => {
    const service = new FakeService();
    await using home = await testHome(envOf(service));
    const file = join(home.dir, CONFIG);
    await mkdir(dirname(file), { recursive: true });
    await make(file);
    for (const argv of [
      ['jobs', 'list'],
      ['config', 'list'],
      ['config', 'set', 'email', 'a@example.com'],
      ['login', '--client-id', 'cli_1'],
    ]) {
      const ran = await run(service, home, argv, { stdin: 'secret' });
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toMatch(/^오류: 설정 파일을 읽을 수 없습니다: /);
      expect(ran.stderr).toContain(`${file} (${why}`);
    }
    const json = await run(service, home, ['jobs', 'list', '--json']);
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'USAGE', exit_code: 2 });
    expect((await run(service, home, ['doctor', '-o', 'tsv'])).stdout).toContain(why);
    expect(service.requests.every(({ path }) => path === '/health')).toBe(true);
  });

  it('of a project is named too, when it is a directory', async () => {
    await using home = await testHome();
    await mkdir(join(home.dir, 'changgu.toml'));
    const { code, stderr } = await home.run(['config', 'list']);
    expect(code).toBe(2);
    expect(stderr).toContain(join(home.dir, 'changgu.toml'));
  });

  it('that Notepad saved, with a mark of its encoding, is read', async () => {
    await using home = await testHome();
    const file = join(home.dir, CONFIG);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '\ufeff[profiles.a]\nbase_url = "https://a.example"\n');
    const { code, stdout } = await home.run(['config', 'get', 'base_url']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'https://a.example\n' });
  });
});

describe('a home directory that is none', () => {
  const nowhere = { XDG_CONFIG_HOME: '/dev/null', XDG_STATE_HOME: '/dev/null' };

  it('keeps no command from its answer: the job is accepted, and its id is printed', async () => {
    const service = new FakeService();
    await using home = await testHome({ ...envOf(service), ...nowhere });
    const { code, stdout } = await run(service, home, ['jobs', 'submit', ACTION, '-o', 'id']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${service.jobs[0]?.id}\n` });
    expect(await run(service, home, ['runs', 'list'])).toMatchObject({ code: 0, stdout: '' });
  });

  it.each([
    [['config', 'set', 'email', 'a@example.com']],
    [['all-accounts', 'run', 'bank_b.accounts.transaction_history.search']],
    [['jobs', 'submit', ACTION, '--secret', 'a=@-', '--idempotency-key', 'k', '--no-check']],
  ])('is named by %j, which has to write there: 1, and nothing is submitted', async (argv) => {
    const service = new FakeService();
    await using home = await testHome({ ...envOf(service), ...nowhere });
    const ran = await run(service, home, argv, { stdin: 'secret' });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(
      /파일을 사용할 수 없습니다: \/dev\/null\/changgu\S* \(경로에 디렉터리가 아닌/,
    );
    expect(service.jobs).toHaveLength(0);
  });

  it('does not hide the key of a submission whose answer was lost', async () => {
    const service = new FakeService();
    await using home = await testHome({ ...envOf(service), ...nowhere });
    service.faults.add(
      ...Array.from({ length: 9 }, () => ({ kind: 'drop', when: 'after' }) as const),
    );
    const argv = ['jobs', 'submit', ACTION, '--idempotency-key', 'my key', '--json'];
    const { code, stderr } = await run(service, home, argv);
    expect(code).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'CONNECTION_FAILED',
      idempotency_key: 'my key',
      resume: "changgu jobs list --idempotency-key 'my key'",
    });
    expect(service.jobs).toHaveLength(1);
  });
});

describe('a file of this program that is damaged', () => {
  it('of a submission to send again is named: 1', async () => {
    const service = new FakeService();
    await using home = await testHome(envOf(service));
    service.faults.add(
      ...Array.from({ length: 9 }, () => ({ kind: 'drop', when: 'after' }) as const),
    );
    await run(service, home, ['jobs', 'submit', ACTION, '--idempotency-key', 'k']);
    const folder = join(home.dir, '.local/state/changgu/pending');
    const [name = ''] = await readdir(folder);
    const file = join(folder, name);
    await writeFile(file, '{"v":1,');
    const ran = await run(service, home, ['jobs', 'submit', '--resend', 'k', '--lang', 'en']);
    expect(ran).toMatchObject({
      code: 1,
      stderr: `Error: Can't use the file: ${file} (damaged)\n`,
    });
  });

  it('of a run hides no other run, and none that began hides one that did', async () => {
    const service = new FakeService();
    service.addBankAccounts({
      provider: 'bank_b',
      accountLinkId: 'link-1',
      bankAccountCredentialId: 'account-1',
      maskedAccountNo: '1***',
    });
    await using home = await testHome(envOf(service));
    const action = 'bank_b.accounts.transaction_history.search';
    await run(service, home, ['all-accounts', 'run', action, '-q']);
    const runs = join(home.dir, '.local/state/changgu/runs');
    await writeFile(join(runs, 'run-00000000T000000Z-damaged.jsonl'), '{"kind":"other"}\n');
    await writeFile(join(runs, 'run-99999999T000000Z-unbegun.jsonl'), '');
    const list = await run(service, home, ['runs', 'list', '-o', 'id']);
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/^run-\S+\n$/) });
    expect(list.stderr).toContain('damaged.jsonl');
    const shown = await run(service, home, ['runs', 'show', 'last', '-o', 'ndjson']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ bank_account_credential_id: 'account-1' });
    const pruned = await run(service, home, ['runs', 'prune', '--older-than', '0s']);
    expect(pruned.code).toBe(0);
    expect((await readdir(runs)).toSorted()).toEqual([
      'run-00000000T000000Z-damaged.jsonl',
      'run-99999999T000000Z-unbegun.jsonl',
    ]);
  });
});

describe('params from a file', () => {
  it.each([
    ['missing.json', 'not found'],
    ['.', 'it is a directory'],
    ['params.json/x', 'part of the path is not a directory'],
  ])('named %j that cannot be read are refused with the reason: %s', async (path, why) => {
    await using home = await testHome();
    await writeFile(join(home.dir, 'params.json'), '{}');
    const argv = ['jobs', 'submit', ACTION, '--no-check', '--params', `@${path}`, '--lang', 'en'];
    const ran = await home.run(argv);
    expect(ran).toMatchObject({ code: 2, stderr: `Error: Can't use the file: ${path} (${why})\n` });
  });

  it('in another encoding are refused before replacement characters are sent', async () => {
    const service = new FakeService();
    await using home = await testHome(envOf(service));
    await writeFile(join(home.dir, 'params.json'), Buffer.from('{"memo":"\xb0\xa1"}', 'latin1'));
    const argv = ['jobs', 'submit', ACTION, '--no-check', '--params', '@params.json'];
    const ran = await run(service, home, argv);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('params.json (UTF-8로');
    expect(service.requests).toHaveLength(0);
  });
});
