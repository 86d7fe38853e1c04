import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Cli, WritingCli } from '../../cli.ts';
import { CliError } from '../../cli-error.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';

const LOCALES = { ko: 'ko_KR.UTF-8', en: 'en_US.UTF-8' } as const;

/** Runs another package's program in this terminal, and ends with its exit code. */
export async function runSibling(
  cli: WritingCli,
  packageName: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  stdin: 'inherit' | 'ignore' = 'inherit',
): Promise<ExitCode | undefined> {
  const command = programOf(cli, packageName);
  cli.gate.pass({ runs: [packageName, ...args] });
  const child = spawn(process.execPath, [...command, ...args], {
    stdio: [stdin, 'inherit', 'inherit'],
    // In this run's language, whatever the locale says.
    env: { ...cli.io.env, LC_ALL: LOCALES[cli.language], ...env },
  });
  // Ctrl-C at a terminal reaches the child itself, which ends at once at a second signal; other senders signal only
  // this process.
  const pass = () => {
    const { message } = cli.signal.reason;
    const isCtrlC = message === 'SIGINT' && cli.io.stdin.isTTY === true;
    if (!isCtrlC) child.kill('SIGTERM');
  };
  cli.signal.addEventListener('abort', pass, { once: true });
  const [code]: (number | null)[] = await once(child, 'exit');
  return Object.values(EXIT).find((known) => known === code) ?? EXIT.failed;
}

/** Arguments for Node: the build, or in this repository the sources. */
function programOf({ texts }: Cli, packageName: string): string[] {
  const manifest = findManifest(packageName);
  if (manifest === null) {
    const { notInstalled, install } = texts.programs;
    throw new CliError('NOT_INSTALLED', notInstalled(packageName), EXIT.failed, [
      install(packageName),
    ]);
  }
  const { bin }: { bin: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  );
  const source = join(dirname(manifest), 'src', 'main.ts');
  const fromSource = process.execArgv.includes('--conditions=@changgu/source');
  if (fromSource && existsSync(source)) return ['--conditions=@changgu/source', source];
  return [join(dirname(manifest), Object.values(bin)[0] ?? '')];
}

function findManifest(packageName: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(`${packageName}/package.json`);
  } catch {
    return null;
  }
}
