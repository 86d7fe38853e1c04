import { spawnSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bridgeProgram } from '../../../scripts/programs.ts';
import { HOSTS, type Host } from '../src/install/hosts.ts';
import { runInstall } from '../src/install/run-install.ts';
import type { SettingValues } from '../src/settings.ts';

const SECRET = 'secret-of-the-environment';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'changgu-install-'));
});
afterAll(() => rm(root, { recursive: true }));

interface Machine {
  readonly home: string;
  readonly file: string;
  /** With an answer, or null where no one is there to be asked. */
  install(
    values?: SettingValues & { yes?: boolean },
    id?: string,
    answer?: boolean | null,
  ): Promise<Told>;
}
interface Told {
  readonly code: number;
  readonly said: string;
}

/** A machine with nothing on it. */
async function machineFor(host: Host): Promise<Machine> {
  const home = await mkdtemp(join(root, `${host.id}-`));
  const place = { home, directory: home, platform: process.platform, appData: home };
  const file = host.file(place);
  if (file === null) throw new Error(`${host.id} does not run here`);
  return {
    home,
    file,
    async install(values = {}, id = host.id, answer = null) {
      const said: string[] = [];
      const print = (text: string) => void said.push(text);
      const desk = { place, language: 'ko', print, isAgreed: async () => answer } as const;
      const code = await runInstall(id, values, desk).catch((error: Error) => {
        print(error.message);
        return 2;
      });
      return { code, said: said.join('') };
    },
  };
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const FOREIGN = {
  json: (host: Host) =>
    `${JSON.stringify({ theme: 'dark', [host.serversKey]: { other: { command: 'x' } } }, null, 4)}\n`,
  toml: (host: Host) => `model = "o"\n\n[${host.serversKey}.other]\ncommand = "x"\n`,
} as const;

describe.each(HOSTS)('changgu-mcp install $id', (host) => {
  it('leaves a file of another encoding as it is, because its characters would be lost', async () => {
    const machine = await machineFor(host);
    const before = Buffer.from('# \xb0\xa1\n', 'latin1');
    await mkdir(dirname(machine.file), { recursive: true });
    await writeFile(machine.file, before);
    const { code, said } = await machine.install({ yes: true });
    expect(code).toBe(2);
    expect(said).toContain('UTF-8');
    expect(await readFile(machine.file)).toEqual(before);
  });

  it('shows what it will write, and writes nothing where no one can be asked, or the answer is no (D151)', async () => {
    const machine = await machineFor(host);
    const { code, said } = await machine.install();
    expect(code).toBe(2);
    expect(said).toContain(machine.file);
    expect(said).toContain('"mcp"');
    expect(said).toContain('--yes');
    const refused = await machine.install({}, host.id, false);
    expect(refused).toMatchObject({ code: 130, said: expect.not.stringContaining('--yes') });
    expect(await readdir(machine.home)).toEqual([]);
  });

  it('writes it beside what is there, once, and names no secret', async () => {
    const machine = await machineFor(host);
    const before = FOREIGN[host.format](host);
    await write(machine.file, before);
    const values = { yes: true, 'read-only': true, secrets: 'secrets.json' };
    expect(await machine.install(values)).toMatchObject({ code: 0 });
    const after = await readFile(machine.file, 'utf8');
    expect(after).toContain('changgu');
    expect(after).toContain('--read-only');
    // A relative path would be sought where the host happens to start.
    expect(after).toContain(JSON.stringify(join(machine.home, 'secrets.json')));
    expect(after).not.toMatch(/CLIENT|_ID/);
    if (host.format === 'json') expect(JSON.parse(after)).toMatchObject(JSON.parse(before));
    else expect(after.startsWith(before)).toBe(true);
    expect(await readFile(`${machine.file}.bak`, 'utf8')).toBe(before);

    const again = await machine.install(values);
    expect(again).toMatchObject({ code: 0, said: expect.stringContaining('이미') });
    expect(await readFile(machine.file, 'utf8')).toBe(after);
    const left = await readdir(dirname(machine.file));
    expect(left.filter((name) => name.includes('.changgu-'))).toEqual([]);
  });
});

describe('changgu-mcp install', () => {
  const cursor = HOSTS.find(({ id }) => id === 'cursor');
  if (!cursor) throw new Error('no cursor');

  it.each([
    ['{ "mcpServers": ', 'is broken'],
    ['{ // mine\n}', 'has comments'],
    ['[]', 'is not an object'],
    ['{ "mcpServers": [] }', 'holds no servers by name'],
  ])('leaves a file alone that %j: %s', async (text) => {
    const machine = await machineFor(cursor);
    await write(machine.file, text);
    const { code, said } = await machine.install({ yes: true });
    expect(code).toBe(2);
    expect(said).toContain('"mcpServers"');
    expect(said).toMatch(/JSON|객체/);
    expect(await readFile(machine.file, 'utf8')).toBe(text);
    expect(await readdir(dirname(machine.file))).toEqual(['mcp.json']);
  });

  it('keeps who may read a file, and keeps a new one for its owner', async () => {
    const machine = await machineFor(cursor);
    expect((await machine.install({ yes: true })).code).toBe(0);
    expect((await stat(machine.file)).mode & 0o777).toBe(0o600);
    // As a project's shared file is.
    await write(machine.file, '{}');
    await chmod(machine.file, 0o664);
    expect((await machine.install({ yes: true })).code).toBe(0);
    expect((await stat(machine.file)).mode & 0o777).toBe(0o664);
    expect((await stat(`${machine.file}.bak`)).mode & 0o777).toBe(0o600);
  });

  it('follows a link to the file, and leaves it a link', async () => {
    const machine = await machineFor(cursor);
    const real = join(machine.home, 'dotfiles', 'mcp.json');
    await write(real, '{}');
    await mkdir(dirname(machine.file), { recursive: true });
    await symlink(real, machine.file);
    expect((await machine.install({ yes: true })).code).toBe(0);
    expect(await readFile(real, 'utf8')).toContain('changgu');
  });

  it('names the hosts it knows', async () => {
    const machine = await machineFor(cursor);
    const { code, said } = await machine.install({}, 'emacs');
    expect(code).toBe(2);
    for (const { id } of HOSTS) expect(said).toContain(id);
  });

  it('asks no one without a terminal, and says how to go on (D151)', async () => {
    const { home } = await machineFor(cursor);
    const env = { HOME: home, USERPROFILE: home, LC_ALL: 'en_US.UTF-8' };
    const args = [...bridgeProgram(), 'install', 'cursor'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: home, env });
    expect(status).toBe(2);
    expect(stderr.toString()).toContain('add --yes');
  });

  it('works as a program, for whose home it is', async () => {
    const { home, file } = await machineFor(cursor);
    const env = { HOME: home, USERPROFILE: home, CHANGGU_CLIENT_SECRET: SECRET };
    const args = [...bridgeProgram(), 'install', 'cursor', '--yes'];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: home, env });
    expect(status).toBe(0);
    expect(stdout.toString()).toContain(file);
    expect(await readFile(file, 'utf8')).not.toContain(SECRET);
  });

  it.each([
    ['ko_KR.UTF-8', '저장했습니다. Cursor을(를) 다시', '중 하나를'],
    ['en_US.UTF-8', 'Written. Restart Cursor.', 'choose one of'],
  ])('speaks the language of the locale %s', async (LC_ALL, written, hosts) => {
    const { home } = await machineFor(cursor);
    const env = { HOME: home, USERPROFILE: home, LC_ALL };
    const install = (host: string) =>
      spawnSync(process.execPath, [...bridgeProgram(), 'install', host, '--yes'], {
        cwd: home,
        env,
        encoding: 'utf8',
      });
    expect(install('cursor').stdout).toContain(written);
    expect(install('emacs').stderr).toContain(hosts);
  });
});
