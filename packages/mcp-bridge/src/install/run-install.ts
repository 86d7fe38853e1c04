import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { SettingError, type SettingValues } from '../settings.ts';
import { entryText, launchOf, withEntry } from './host-entry.ts';
import { HOSTS, type Host, type Place } from './hosts.ts';

/** The machine and its user. */
export interface Desk {
  readonly place: Place;
  print(text: string): void;
  /** Whether the person agrees. False when no one can be asked. */
  isAgreed(): Promise<boolean>;
}

type InstallValues = SettingValues & {
  readonly yes?: boolean | undefined;
  /** The CLI profile with which the bridge is started. */
  readonly profile?: string | undefined;
};

/**
 * Shows the change to a host's configuration, asks, and writes it.
 * @returns exit code
 * @throws SettingError for an unknown host, and for a file that cannot be changed safely
 */
export async function runInstall(
  id: string | undefined,
  values: InstallValues,
  { place, print, isAgreed }: Desk = ownDesk(),
): Promise<number> {
  const host = findHost(id);
  const launch = launchOf(flagsOf(values, place.directory), place.platform, values.profile);
  const file = host.file(place);
  if (file === null) throw new SettingError(`${host.title}의 설정 위치를 알 수 없습니다.`);
  print(`${host.title}: ${file}\n\n${entryText(host, launch)}\n`);
  const before = await readText(file);
  const after = withEntry(host, before ?? '', launch);
  if (before === after) {
    print('이미 이렇게 설정되어 있습니다.\n');
    return 0;
  }
  if (!values.yes && !(await isAgreed())) {
    print('쓰지 않았습니다. 확인 없이 쓰려면 --yes를 붙여 주십시오.\n');
    return 1;
  }
  await replace(file, before, after);
  print(`썼습니다. ${host.title}을(를) 다시 시작해 주십시오.\n`);
  return 0;
}

function ownDesk(): Desk {
  const { platform, env, stdin, stdout } = process;
  return {
    place: { home: homedir(), directory: process.cwd(), platform, appData: env.APPDATA },
    print: (text) => void stdout.write(text),
    async isAgreed() {
      if (!stdin.isTTY) return false;
      const lines = createInterface({ input: stdin, output: stdout });
      const answer = await lines.question('이대로 쓸까요? [y/N] ');
      lines.close();
      return /^(y|yes|예|네)$/i.test(answer.trim());
    },
  };
}

function findHost(id: string | undefined): Host {
  const host = HOSTS.find((one) => one.id === id);
  if (host) return host;
  const known = HOSTS.map((one) => one.id).join(', ');
  throw new SettingError(`install <host>: ${known} 가운데 하나를 지정해 주십시오.`);
}

const PATHS: ReadonlySet<string> = new Set(['files-dir', 'secrets']);

/** The flags of this call that also apply to later starts. */
function flagsOf(values: InstallValues, directory: string): string[] {
  const { yes: _yes, profile: _profile, ...kept } = values;
  return Object.entries(kept).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    if (typeof value !== 'string') return [];
    // The host starts the bridge in its own directory.
    return [`--${name}`, PATHS.has(name) ? resolve(directory, value) : value];
  });
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
    throw error;
  }
}

/** Written next to it first, so that a host never reads a partial file. The old one is kept as .bak; links stay links. */
async function replace(file: string, before: string | null, after: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const target = before === null ? file : await realpath(file);
  if (before !== null) await writeFile(`${target}.bak`, before, { mode: 0o600 });
  const temporary = `${target}.changgu-${process.pid}`;
  await writeFile(temporary, after, { mode: 0o600 });
  await rename(temporary, target);
}
