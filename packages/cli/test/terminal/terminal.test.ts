import { spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliProgram } from '../../../../scripts/programs.ts';
import { screenOf } from '../support/screen.ts';
import { type Service, startService } from '../support/service.ts';
import { CTRL_C, ESCAPE, Terminal } from '../support/terminal.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ env: { SANDBOX_DELAY_MS: '60000' } });
});
afterAll(() => service[Symbol.asyncDispose]());

const inTerminal = (
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  columns?: number,
) => new Terminal(argv, { HOME: service.home.dir, ...env }, columns);

describe('in a terminal', { timeout: 30_000 }, () => {
  it('login asks, and does not show what is typed', async () => {
    const { url, client } = service.server;
    const terminal = inTerminal(['login', '--base-url', url, '--profile', 'typed'], {});
    await terminal.sees('클라이언트 ID');
    terminal.type(`${client.client_id}\r`);
    await terminal.sees('클라이언트 시크릿');
    terminal.type(`${client.client_secret}\r`);
    await terminal.sees('로그인했습니다');
    expect(await terminal.exit()).toBe(0);
    expect(terminal.seen).not.toContain(client.client_secret);
  });

  it('Ctrl-C at a question changes nothing', async () => {
    const terminal = inTerminal(
      ['login', '--base-url', service.server.url, '--client-id', 'x', '--profile', 'never'],
      {},
    );
    await terminal.sees('클라이언트 시크릿');
    terminal.type(CTRL_C);
    expect(await terminal.exit()).toBe(130);
    expect((await service.home.run(['profiles', 'list', '-o', 'id'])).stdout).not.toContain(
      'never',
    );
  });

  it('a wait shows state and message in place; Ctrl-C leaves the job and says how to resume', async () => {
    const { stdout } = await service.home.run(['jobs', 'submit', 'bank_a.accounts.list']);
    const id = stdout.trim();
    const terminal = inTerminal(['jobs', 'wait', id], service.env);
    await terminal.sees('RUNNING');
    await terminal.sees(`\r${ESCAPE}[2K`);
    terminal.type(CTRL_C);
    await terminal.sees('작업은 계속됩니다');
    await terminal.sees(`changgu jobs result ${id} --wait`);
    expect(await terminal.exit()).toBe(130);
    expect((await service.home.run(['jobs', 'get', id, '--json=status'])).stdout).toContain(
      'RUNNING',
    );
  });

  it('watched jobs are a table that changes in place; Ctrl-C leaves it and the jobs', async () => {
    const submit = async (action: string) =>
      (await service.home.run(['jobs', 'submit', action])).stdout.trim();
    const ids = [await submit('bank_a.accounts.list'), await submit('bank_b.accounts.list')];
    const terminal = inTerminal(['jobs', 'watch', ...ids, '--no-color'], service.env, 120);
    await terminal.sees('작업 2개 중 2개를 기다리는 중');
    await service.home.run(['jobs', 'cancel', ids[0] ?? '']);
    await terminal.sees('CANCELED');
    await terminal.sees('작업 2개 중 1개를 기다리는 중');
    terminal.type(CTRL_C);
    expect(await terminal.exit()).toBe(130);
    const screen = screenOf(terminal.seen);
    const linesWith = (word: string) => screen.filter((line) => line.includes(word));
    expect(linesWith(`${ids[0]}  CANCELED`)).toHaveLength(1);
    expect(screen.filter((line) => line.startsWith(`${ids[1]}  RUNNING`))).toHaveLength(1);
    expect(linesWith('기다리는 중')).toEqual([]);
    expect(linesWith('작업은 계속됩니다')).toEqual([
      `대기를 중단했습니다. 작업은 계속됩니다: ${ids[1]}`,
    ]);
    expect(screen.at(-1)).toBe('');
    // A hidden cursor would stay hidden after a SIGKILL.
    expect(terminal.seen).not.toContain(`${ESCAPE}[?25l`);
  });

  it('a table of more jobs than the terminal has lines is cut, and complete at the end', async () => {
    const open = await service.home.run(['jobs', 'list', '--status', 'RUNNING', '-o', 'id']);
    const ids = open.stdout.trim().split('\n');
    const terminal = new Terminal(
      ['jobs', 'watch'],
      { ...service.env, HOME: service.home.dir, NO_COLOR: '1' },
      100,
      ids.length + 2,
    );
    await terminal.sees('아래 1줄은 화면 밖');
    terminal.type(CTRL_C);
    expect(await terminal.exit()).toBe(130);
    const screen = screenOf(terminal.seen);
    for (const id of ids) {
      expect(screen.filter((line) => line.startsWith(id))).toHaveLength(1);
    }
  });

  it('colors a table, and not with NO_COLOR or --no-color', async () => {
    const colored = inTerminal(['jobs', 'list'], service.env);
    expect(await colored.exit()).toBe(0);
    expect(colored.seen).toContain(`${ESCAPE}[1m`);
    for (const [argv, env] of [
      [['jobs', 'list'], { NO_COLOR: '1' }],
      [['jobs', 'list', '--no-color'], {}],
    ] as const) {
      const plain = inTerminal(argv, { ...service.env, ...env });
      expect(await plain.exit()).toBe(0);
      expect(plain.seen).toContain('작업');
      expect(plain.seen).not.toContain(ESCAPE);
    }
  });

  it('a narrow one gets the columns that fit, told which are missing; a very narrow one, blocks', async () => {
    const narrow = inTerminal(['jobs', 'list', '--no-color'], service.env, 44);
    expect(await narrow.exit()).toBe(0);
    expect(narrow.seen).toMatch(/^job_\w+ {2}(RUNNING|QUEUED)\r$/m);
    expect(narrow.seen).toContain('표시하지 않은 열: action, submitted_at');
    const blocks = inTerminal(['jobs', 'list', '--no-color'], service.env, 36);
    expect(await blocks.exit()).toBe(0);
    expect(blocks.seen).toMatch(/상태 +(RUNNING|QUEUED)/);
  });
});

describe('in a pipe', { timeout: 30_000 }, () => {
  it('watched jobs are a line for every change, and a wait that is too long says so', async () => {
    const { stdout } = await service.home.run(['jobs', 'submit', 'bank_a.accounts.list']);
    const id = stdout.trim();
    const watched = await service.home.run(['jobs', 'watch', id, '--timeout', '1s']);
    expect(watched.code).toBe(8);
    const lines = watched.stdout.trim().split('\n');
    expect(lines.at(-1)).toMatch(
      new RegExp(`^${id}\tRUNNING\t\\d*\t.*\tbank_a\\.accounts\\.list$`),
    );
    expect(new Set(lines).size).toBe(lines.length);
    expect(watched.stdout).not.toContain(ESCAPE);
    await service.home.run(['jobs', 'cancel', id]);
    const ended = await service.home.run(['jobs', 'watch', id]);
    expect(ended).toMatchObject({ code: 3, stdout: expect.stringMatching(/CANCELED/) });
    expect(ended.stderr).toContain('CANCELED');
  });

  const start = (argv: readonly string[]) =>
    spawnProcess(process.execPath, [...cliProgram(), ...argv], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...service.env, HOME: service.home.dir },
    });

  it('a reader that stops early is not an error', async () => {
    const child = start(['commands', '--json']);
    const errors: string[] = [];
    child.stderr.on('data', (bytes: Buffer) => errors.push(bytes.toString()));
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
  });

  it('a question without a terminal ends at once, naming the option', async () => {
    const child = start(['login', '--client-id', 'x']);
    const errors: string[] = [];
    child.stderr.on('data', (bytes: Buffer) => errors.push(bytes.toString()));
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    expect(errors.join('')).toContain('--secret-stdin');
  });

  it('SIGTERM ends a wait with 143, and leaves the job', async () => {
    const { stdout } = await service.home.run(['jobs', 'submit', 'bank_b.accounts.list']);
    const child = start(['jobs', 'wait', stdout.trim()]);
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(143);
  });
});
