import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { SettingError, type SettingValues } from '../settings.ts';
import { entryText, launchOf, withEntry } from './host-entry.ts';
import { HOSTS, type Host } from './hosts.ts';

/** Shows what is written into the configuration of a host, asks, and writes it. @returns exit code */
export async function runInstall(
  id: string | undefined,
  values: SettingValues & { readonly yes?: boolean | undefined },
): Promise<number> {
  const host = findHost(id);
  const launch = launchOf(flagsOf(values), process.platform);
  const file = host.file({
    home: homedir(),
    directory: process.cwd(),
    platform: process.platform,
    appData: process.env.APPDATA,
  });
  if (file === null) throw new SettingError(`${host.title}의 설정 위치를 알 수 없습니다.`);
  const { stdout } = process;
  stdout.write(`${host.title}: ${file}\n\n${entryText(host, launch)}\n`);
  const before = await readText(file);
  const after = withEntry(host, before ?? '', launch);
  if (before === after) {
    stdout.write('이미 이렇게 설정되어 있습니다.\n');
    return 0;
  }
  if (!values.yes && !(await isAgreed())) {
    stdout.write('쓰지 않았습니다. 확인 없이 쓰려면 --yes를 붙여 주십시오.\n');
    return 1;
  }
  await replace(file, before, after);
  stdout.write(`썼습니다. ${host.title}을(를) 다시 시작해 주십시오.\n`);
  return 0;
}

function findHost(id: string | undefined): Host {
  const host = HOSTS.find((one) => one.id === id);
  if (host) return host;
  const known = HOSTS.map((one) => one.id).join(', ');
  throw new SettingError(`install <host>: ${known} 가운데 하나를 지정해 주십시오.`);
}

/** The flags of this call that belong to a later start. */
function flagsOf(values: SettingValues & { readonly yes?: boolean | undefined }): string[] {
  const { yes: _yes, ...kept } = values;
  return Object.entries(kept).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    return typeof value === 'string' ? [`--${name}`, value] : [];
  });
}

async function isAgreed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question('이대로 쓸까요? [y/N] ');
  lines.close();
  return /^(y|yes|예|네)$/i.test(answer.trim());
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
    throw error;
  }
}

/** Beside it first: a host never reads half a file. What was there is kept as .bak. */
async function replace(file: string, before: string | null, after: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  if (before !== null) await writeFile(`${file}.bak`, before, { mode: 0o600 });
  const temporary = `${file}.changgu-${process.pid}`;
  await writeFile(temporary, after, { mode: 0o600 });
  await rename(temporary, file);
}
