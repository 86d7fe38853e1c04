import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Language, terminalLanguage } from '@changgu/contract/language';
import { homeDirectory } from '../home-directory.ts';
import { print } from '../process-output.ts';
import { SettingError, type SettingValues } from '../settings.ts';
import { entryText, launchOf, withEntry } from './host-entry.ts';
import { HOSTS, type Host, type Place } from './hosts.ts';
import { INSTALL_TEXTS, type InstallTexts } from './install-texts.ts';

/** The machine and its user. */
export interface Desk {
  readonly place: Place;
  readonly language: Language;
  print(text: string): void | Promise<void>;
  /** Whether the person agrees. Null when no one can be asked. */
  isAgreed(): Promise<boolean | null>;
}

type InstallValues = SettingValues & {
  readonly yes?: boolean | undefined;
  /** The CLI profile with which the bridge is started. */
  readonly profile?: string | undefined;
};

/** As after Ctrl-C: the command line ends with the same code. */
const DECLINED = 130;

/**
 * Shows the change to a host's configuration, asks, and writes it.
 * @returns exit code
 * @throws SettingError for an unknown host, a file that cannot be changed safely, and where no one can be asked
 */
export async function runInstall(
  id: string | undefined,
  values: InstallValues,
  { place, language, print, isAgreed }: Desk = ownDesk(),
): Promise<number> {
  const texts = INSTALL_TEXTS[language];
  const host = findHost(id, texts);
  const launch = launchOf(flagsOf(values, place.directory), place.platform, values.profile);
  const file = host.file(place);
  if (file === null) throw new SettingError(texts.noPlace(host.title));
  await print(`${host.title}: ${file}\n\n${entryText(host, launch)}\n`);
  const before = await readText(file, texts);
  const after = withEntry(host, before ?? '', launch, texts);
  if (before === after) {
    await print(`${texts.already}\n`);
    return 0;
  }
  const agreed = values.yes || (await isAgreed());
  if (agreed === null) throw new SettingError(texts.noTerminal);
  if (!agreed) {
    await print(`${texts.notWritten}\n`);
    return DECLINED;
  }
  await replace(file, before, after);
  await print(`${texts.written(host.title)}\n`);
  return 0;
}

function ownDesk(): Desk {
  const { platform, env, stdin, stdout } = process;
  const language = terminalLanguage(env);
  return {
    language,
    place: { home: homeDirectory(), directory: process.cwd(), platform, appData: env.APPDATA },
    print,
    async isAgreed() {
      if (!stdin.isTTY) return null;
      const lines = createInterface({ input: stdin, output: stdout });
      // Ctrl-C and Ctrl-D close it; only newer versions of Node also reject the question.
      const closed = once(lines, 'close').then(() => '');
      const asked = lines.question(`${INSTALL_TEXTS[language].ask} [y/N] `).catch(() => '');
      const answer = await Promise.race([asked, closed]);
      lines.close();
      return /^(y|yes|예|네)$/i.test(answer.trim());
    },
  };
}

function findHost(id: string | undefined, texts: InstallTexts): Host {
  const host = HOSTS.find((one) => one.id === id);
  if (host) return host;
  const known = HOSTS.map((one) => one.id).join(', ');
  throw new SettingError(texts.hosts(known));
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

/** @throws SettingError for another encoding: written again, its characters would be lost */
async function readText(file: string, texts: InstallTexts): Promise<string | null> {
  try {
    const bytes = await readFile(file);
    if (!isUtf8(bytes)) throw new SettingError(texts.notUtf8);
    return bytes.toString();
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
    throw error;
  }
}

/** The old one is kept as .bak; links stay links. */
async function replace(file: string, before: string | null, after: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const target = before === null ? file : await realpath(file);
  // Whoever could read it still can: a project's file belongs to all who work on it.
  const mode = before === null ? 0o600 : (await stat(target)).mode & 0o777;
  if (before !== null) await writeWhole(`${target}.bak`, before, 0o600);
  await writeWhole(target, after, mode);
}

/** Written next to it first, so that a host never reads a partial file, and a full disk spoils none. */
async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.changgu-${process.pid}`;
  try {
    await writeFile(temporary, text, { mode: 0o600 });
    await chmod(temporary, mode);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
