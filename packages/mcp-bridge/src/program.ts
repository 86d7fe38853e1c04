import { parseArgs } from 'node:util';
import { escapeControls } from '@changgu/contract/harmless-text';
import { terminalLanguage } from '@changgu/contract/language';
import { isChangguError } from '@changgu/sdk';
import type { Bridge } from './bridge.ts';
import { helpText } from './help.ts';
import { type HttpOptions, readHttpOptions } from './http-options.ts';
import { print, surviveFullLog } from './process-output.ts';
import { readSettings, SettingError } from './settings.ts';
import { noCommand, onlyFor, unexpected, usageText } from './usage-errors.ts';
import { VERSION } from './version.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** @returns exit code: 0 done, 1 failed, 2 wrong usage, 130 a no to a question; undefined while a server runs */
export async function runProgram(args: readonly string[], env: Env): Promise<number | undefined> {
  surviveFullLog();
  try {
    return await run(args, env);
  } catch (error) {
    const usage = usageText(error);
    const said = usage?.[terminalLanguage(env)];
    const message = said ?? (isChangguError(error) ? error.message : String(error));
    process.stderr.write(`${escapeControls(message)}\n`);
    return usage ? 2 : 1;
  }
}

async function run(args: readonly string[], env: Env): Promise<number | undefined> {
  const { values, positionals } = parse(args);
  const told = values.help ? helpText(env) : values.version ? `${VERSION}\n` : null;
  if (told !== null) {
    await print(told);
    return 0;
  }
  const [command = 'stdio', ...rest] = positionals;
  const settings = readSettings(values, env);
  checkUsage(command, rest, values);
  if (command === 'install') {
    const { runInstall } = await import('./install/run-install.ts');
    return runInstall(rest[0], values);
  }
  // Read first: the bridge waits for the service before it exists.
  const options = command === 'http' ? readHttpOptions(env, values.listen) : null;
  // Only serving needs the protocol's library.
  const { createBridge } = await import('./create-bridge.ts');
  const bridge = await createBridge({ settings, env });
  const served = await (options === null ? stdio(bridge) : http(bridge, options));
  closeOnSignal(() => served.close());
  return undefined;
}

/** The options of one command alone. */
const ONLY_FOR = [
  ['listen', 'http'],
  ['profile', 'install'],
  ['yes', 'install'],
] as const;

/** @throws SettingError for what would be ignored */
function checkUsage(
  command: string,
  rest: readonly string[],
  values: ReturnType<typeof parse>['values'],
): void {
  if (!['stdio', 'http', 'install'].includes(command)) throw new SettingError(noCommand(command));
  const extra = rest[command === 'install' ? 1 : 0];
  if (extra !== undefined) throw new SettingError(unexpected(extra));
  for (const [option, only] of ONLY_FOR) {
    const isIgnored = values[option] !== undefined && command !== only;
    if (isIgnored) throw new SettingError(onlyFor(only, option));
  }
}

async function stdio(bridge: Bridge) {
  const { serveBridgeOverStdio } = await import('./serve-stdio.ts');
  return serveBridgeOverStdio(bridge);
}

async function http(bridge: Bridge, options: HttpOptions) {
  const { serveHttp } = await import('./serve-http.ts');
  const served = await serveHttp(bridge, options);
  bridge.log.info('listening', { url: served.url });
  return served;
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      listen: { type: 'string' },
      toolsets: { type: 'string' },
      tools: { type: 'string' },
      'read-only': { type: 'boolean' },
      'require-elicitation': { type: 'boolean' },
      'wait-cap': { type: 'string' },
      'files-dir': { type: 'string' },
      secrets: { type: 'string' },
      reveal: { type: 'boolean' },
      yes: { type: 'boolean' },
      profile: { type: 'string' },
      version: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
}

function closeOnSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().finally(() => process.exit(0)));
  }
}
