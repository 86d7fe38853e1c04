import type { Fetch } from '@changgu/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
  const { email, password } = service.server.console;
  await service.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
});
afterAll(() => service[Symbol.asyncDispose]());

describe('the audit log', { timeout: 40_000 }, () => {
  const read = async (...options: readonly string[]) => {
    const { stdout } = await service.home.run([
      'audit',
      'list',
      '--act',
      'user.log_in',
      ...options,
    ]);
    return stdout;
  };

  it('says what was done in the language of the run', async () => {
    expect(await read('-o', 'table')).toMatch(/행위.*로그인 {2}/s);
    expect(await read('-o', 'table', '--lang', 'en')).toMatch(/ACT.*Logged in/s);
    expect(await read('-o', 'table')).not.toContain('user.log_in');
  });

  it('refuses an act that is a typo, and knows the acts of other versions', async () => {
    const { home } = service;
    const typo = await home.run(['audit', 'list', '--act', 'job.submitt', '--lang', 'en']);
    expect(typo).toMatchObject({ code: 2, stdout: '' });
    expect(typo.stderr).toContain('Unknown act: job.submitt\n  Did you mean job.submit?\n');
    const record = { audit_id: 'a1', at: '2026-11-01T00:00:00Z', act: 'job.once' };
    const fetch: Fetch = async () => Response.json({ items: [record], next_cursor: null });
    const other = ['audit', 'list', '--act', 'job.once', '-o', 'id'];
    expect(await home.run(other, { fetch })).toMatchObject({ code: 0, stdout: 'a1\n' });
    expect((await home.run(['audit', 'list', '--act', 'webhook.test'])).code).toBe(0);
  });

  it('shortens act, target and actor alike on a narrow terminal', async () => {
    const id = 'cli_01M8D55E43HZWGMWQ8XD47DT4N';
    const record = { at: '2026-11-01T00:00:00Z', act: 'job.submit', target: id, actor_id: id };
    const fetch: Fetch = async () =>
      Response.json({ items: [{ ...record, address: '127.0.0.1' }], next_cursor: null });
    const options = { fetch, tty: { stdout: true, columns: 80 } } as const;
    const { stdout } = await service.home.run(['audit', 'list', '--lang', 'en'], options);
    expect(stdout).toMatch(/cli_01M8D55E4\S*… {2}cli_01M8D55E4\S*… {2}127\.0\.0\.1/);
  });

  it('says how many are shown, also of one', async () => {
    const fetch: Fetch = async () => Response.json({ items: [{}, {}], next_cursor: null });
    const list = ['audit', 'list', '--lang', 'en', '--limit'];
    const one = await service.home.run([...list, '1'], { fetch });
    expect(one.stderr).toContain('Only the first one is shown.');
  });

  it('exports no text that moves the cursor or turns the direction of writing', async () => {
    const details = { name: 'a\u009b2J\u202eb' };
    const fetch: Fetch = async () => Response.json({ items: [{ details }], next_cursor: null });
    const { stdout } = await service.home.run(['audit', 'export'], { fetch });
    expect(stdout).toContain('"a\\u009b2J\\u202eb"');
    expect(JSON.parse(stdout)).toEqual({ details });
  });

  it('keeps the names of the wire for programs', async () => {
    const [record] = JSON.parse(await read('--json'));
    expect(record).toMatchObject({ act: 'user.log_in' });
    expect(await read('-o', 'tsv')).toContain('\tuser.log_in\t');
  });
});
