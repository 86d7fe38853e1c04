import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './support/service.ts';
import { CTRL_C, CTRL_D, DOWN, Terminal } from './support/terminal.ts';

let service: Service;
let jobs: readonly string[];
beforeAll(async () => {
  service = await startService({ links: true });
  const { email, password } = service.server.console;
  await service.home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
  const first = await submit('bank_a.accounts.list');
  jobs = [await submit('bank_b.accounts.list'), first];
});
afterAll(() => service[Symbol.asyncDispose]());

async function submit(action: string): Promise<string> {
  const { stdout } = await service.home.run(['jobs', 'submit', action]);
  await service.home.run(['jobs', 'wait', stdout.trim()]);
  return stdout.trim();
}

const inTerminal = (...argv: string[]) =>
  new Terminal(argv, { ...service.env, HOME: service.home.dir, NO_COLOR: '1' }, 80);

describe('a missing argument', { timeout: 40_000 }, () => {
  it('is chosen from the list at a terminal, and the command that comes of it is shown', async () => {
    const terminal = inTerminal('jobs', 'get');
    await terminal.sees(jobs[1] ?? '');
    expect(terminal.seen).toContain('작업 ID');
    terminal.type(DOWN);
    await terminal.sees(`› ${jobs[1]}`);
    terminal.type('\r');
    await terminal.sees(`$ changgu jobs get ${jobs[1]}`);
    expect(await terminal.exit()).toBe(0);
    expect(terminal.seen).toContain('bank_a.accounts.list');
  });

  it.each([
    ['its id', 'bank_c.accounts.tr'],
    ['its name in decomposed form', 'C은행 간편'.normalize('NFD')],
  ])('is found by what is typed: %s', async (_, typed) => {
    const terminal = inTerminal('actions', 'show');
    await terminal.sees('입력하면 검색합니다');
    terminal.type(typed);
    await terminal.sees(' 1/');
    terminal.type('\r');
    await terminal.sees('$ changgu actions show bank_c.accounts.transaction_history.search');
    expect(await terminal.exit()).toBe(0);
  });

  it('comes after another: first the link, then its account', async () => {
    const terminal = inTerminal('bank-accounts', 'get');
    await terminal.sees('연결 ID');
    terminal.type('bank_a');
    await terminal.sees('› ');
    terminal.type('\r');
    await terminal.sees('계좌 등록 ID');
    terminal.type('\r');
    expect(await terminal.exit()).toBe(0);
    expect(terminal.seen).toMatch(/\$ changgu bank-accounts get [0-9a-f-]{36} [0-9a-f-]{36}/);
  });

  it('is offered where one of two would do: the action of a submission, the job of a download', async () => {
    const action = inTerminal('jobs', 'submit', '--wait');
    await action.sees('업무 ID');
    action.type('bank_b.accounts.list');
    await action.sees(' 1/');
    action.type('\r');
    await action.sees('$ changgu jobs submit --wait bank_b.accounts.list');
    expect(await action.exit()).toBe(0);
    const file = inTerminal('artifacts', 'download');
    await file.sees('작업 ID');
    file.type(CTRL_C);
    expect(await file.exit()).toBe(130);
  });

  it('Ctrl-C does nothing, and leaves the terminal as it was', async () => {
    const terminal = inTerminal('links', 'unlink');
    await terminal.sees('연결 ID');
    terminal.type(CTRL_C);
    await terminal.sees('취소했습니다.');
    expect(await terminal.exit()).toBe(130);
    // The cursor, which the question hid, is back.
    expect(terminal.seen.lastIndexOf('\u001b[?25h')).toBeGreaterThan(
      terminal.seen.lastIndexOf('\u001b[?25l'),
    );
    expect(terminal.seen).not.toContain('$ changgu');
  });

  it.each([
    [['jobs', 'get'], '작업 ID'],
    [['links', 'unlink', 'LINK'], '해제'],
    [['login', '--client-id', 'cli_1', '--base-url', 'URL'], '클라이언트 시크릿'],
  ])(
    'Ctrl-D at the question of %j cancels it, and does not end as if all were done',
    async (words, asks) => {
      const links = await service.home.run(['links', 'list', '-o', 'id']);
      const [link = ''] = links.stdout.split('\n');
      const argv = words.map((word) =>
        word.replace('LINK', link).replace('URL', service.server.url),
      );
      const terminal = inTerminal(...argv);
      await terminal.sees(asks);
      terminal.type(CTRL_D);
      await terminal.sees('취소했습니다.');
      expect(await terminal.exit()).toBe(130);
      const state = await service.home.run(['links', 'get', link, '--json=status']);
      expect(JSON.parse(state.stdout)).toEqual({ status: 'ACTIVE' });
    },
  );

  it('is an error in a pipe, with JSON, with --no-input, and where there is nothing to choose from', async () => {
    expect((await service.home.run(['jobs', 'get'])).code).toBe(2);
    for (const flag of ['--json', '--no-input']) {
      const terminal = inTerminal('jobs', 'get', flag);
      expect(await terminal.exit()).toBe(2);
      expect(terminal.seen).not.toContain('›');
    }
    const none = inTerminal('jobs', 'cancel');
    expect(await none.exit()).toBe(2);
    expect(none.seen).toContain('선택할 항목이 없습니다');
  });

  it('every line of the list fits a terminal of 80 columns', async () => {
    const terminal = inTerminal('links', 'get');
    await terminal.sees('연결 ID');
    await terminal.sees('tax_portal');
    terminal.type(CTRL_C);
    await terminal.exit();
    for (const line of terminal.seen.split('\n')) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out.
      expect(line.replaceAll(/\u001b\[[?\d;]*[a-zA-Z]/g, '').trimEnd().length).toBeLessThan(80);
    }
  });
});

describe('a list that is longer than what is shown', () => {
  it('names the command that shows more', async () => {
    const list = await service.home.run(['jobs', 'list', '-L', '1', '--status', 'SUCCEEDED']);
    expect(list.stderr).toContain('1건만 표시했습니다. 더 보려면:');
    expect(list.stderr).toContain('  changgu jobs list --status SUCCEEDED --all');
    const records = await service.home.run(['audit', 'list', '--limit=1', '--lang', 'en']);
    expect(records.stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(records.stderr).toContain('Only the first one is shown. To see more:');
    expect(records.stderr).toContain('  changgu audit list --lang en --limit 5');
    const all = await service.home.run(['jobs', 'list', '--all']);
    expect(all.stderr).toBe('');
  });
});
