import { type ChildProcess, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliProgram } from '../../../scripts/programs.ts';
import { type Service, startService } from './support/service.ts';

/** All twenty with CHANGGU_TEST_KILLS=20. */
const KILLS = Number(process.env.CHANGGU_TEST_KILLS ?? 3);
/** For all jobs at once: the one that ends may be any. */
const WAIT = ['--concurrency', '100', '-q'];
const ACTION = 'bank_c.accounts.transaction_history.search';

let service: Service;
beforeAll(async () => {
  service = await startService({
    links: true,
    // No job ends by itself, and five at most are open: a process that is to be killed has jobs to wait for and, once
    // one was canceled, another to submit.
    env: { SANDBOX_DELAY_MS: '60000', BANK_PRODUCT_CAP: '5' },
  });
  await addAccounts(KILLS);
});
afterAll(() => service[Symbol.asyncDispose]());

/** One for each process, so that every one of them is killed with work before it. */
async function addAccounts(count: number): Promise<void> {
  const { home, server } = service;
  const { email, password } = server.console;
  await home.run(['login', '--email', email, '--password-stdin'], { stdin: password });
  const links = await home.run(['links', 'list', '--provider', 'bank_c', '-o', 'id']);
  for (let n = 0; n < count; n++) {
    const no = join(home.dir, 'account-no.txt');
    await writeFile(no, `3010000${1000 + n}`);
    const secrets = ['--secret', `account_no=@${no}`, '--secret', 'account_password=@-'];
    const added = await home.run(['bank-accounts', 'add', links.stdout.trim(), ...secrets], {
      stdin: '1234',
    });
    expect(added).toMatchObject({ code: 0 });
  }
}

function start(argv: readonly string[]): ChildProcess {
  const { home, env } = service;
  return spawn(process.execPath, [...cliProgram(), ...argv], {
    stdio: 'ignore',
    env: { ...process.env, ...env, HOME: home.dir, XDG_STATE_HOME: join(home.dir, 'state') },
  });
}

async function journalBytes(journals: string): Promise<number> {
  // A lock beside it comes and goes.
  const names = (await readdir(journals)).filter((name) => name.endsWith('.jsonl'));
  const files = names.map((name) => stat(join(journals, name)));
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
}

async function openJobs(): Promise<string[]> {
  const open = ['jobs', 'list', '--all', '--status', 'QUEUED', 'RUNNING', '-o', 'id'];
  return (await service.home.run(open)).stdout.split('\n').filter(Boolean);
}

/** Tells of every write, also of those before the question. */
function watchedFolder(folder: string) {
  const watcher = watch(folder);
  const changes = on(watcher, 'change');
  return {
    change: () => changes.next(),
    [Symbol.dispose]: () => watcher.close(),
  };
}

describe('a process that is killed in the middle of all-accounts run', () => {
  it(`SIGKILL ${KILLS} times, resumed each time: one job per account`, {
    timeout: 20_000 + KILLS * 15_000,
  }, async () => {
    const journals = join(service.home.dir, 'state/changgu/runs');
    await mkdir(journals, { recursive: true });
    using watcher = watchedFolder(journals);
    let child = start(['all-accounts', 'run', ACTION, ...WAIT]);
    for (let kill = 1; kill <= KILLS; kill++) {
      const exit = once(child, 'exit');
      const before = await journalBytes(journals);
      // Something for this process to write down, once there are jobs.
      const [newest] = await openJobs();
      if (newest !== undefined) await service.home.run(['jobs', 'cancel', newest]);
      while ((await journalBytes(journals)) === before) await watcher.change();
      // Some die between two lines of the journal, some while a request is under way.
      await pause((kill * 37) % 200);
      child.kill('SIGKILL');
      expect(await exit).toEqual([null, 'SIGKILL']);
      child = start(['all-accounts', 'resume', 'last', ...WAIT]);
    }
    const exit = once(child, 'exit');
    while (child.exitCode === null) {
      for (const id of await openJobs()) await service.home.run(['jobs', 'cancel', id]);
      // It writes down what it submits next, and what has ended.
      await Promise.race([watcher.change(), exit]);
    }
    expect(await exit).toEqual([6, null]);
    const jobs = await service.home.run(['jobs', 'list', '--all', '--json=job_id,status,action']);
    const made = JSON.parse(jobs.stdout).filter(
      ({ action }: { action: string }) => action === ACTION,
    );
    expect(made).toHaveLength(4 + KILLS);
  });
});
