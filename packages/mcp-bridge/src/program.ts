import { parseArgs } from 'node:util';
import { isChangguError } from '@changgu/sdk';
import type { Bridge } from './bridge.ts';
import { readSettings, SettingError } from './settings.ts';
import { VERSION } from './version.ts';

const HELP = `사용법
  changgu-mcp [옵션]                                stdio: 호스트가 실행합니다
  changgu-mcp http [--listen 127.0.0.1:4020] [옵션]  Streamable HTTP: CHANGGU_MCP_TOKEN이 필요합니다
  changgu-mcp install <host> [--yes] [옵션]          호스트 설정을 보여 주고 씁니다

옵션
  --toolsets bank,tax,employment,insurance,other,all
                             도구로 내놓을 서비스 묶음 (기본 bank,employment)
  --tools a,b                도구를 하나씩 지정합니다
  --read-only                되돌릴 수 없는 서비스를 뺍니다
  --require-elicitation      호스트가 직접 확인을 물을 수 있을 때만 되돌릴 수 없는 서비스를 실행합니다
  --wait-cap <초>            한 호출이 기다리는 최대 시간 (기본 50)
  --files-dir <폴더>         결과 파일을 저장할 폴더 (기본 ~/changgu-files)
  --secrets <파일>           비밀값이 있는 곳을 적은 JSON 파일
  --reveal                   기관 문장 속 계좌번호를 가리지 않습니다
  --version, --help

접속 정보는 CHANGGU_BASE_URL, CHANGGU_CLIENT_ID, CHANGGU_CLIENT_SECRET, CHANGGU_ENV_SCOPE에서 읽습니다.
\`changgu mcp start\`로 실행하면 \`changgu login\`이 저장한 키를 씁니다.
`;

type Env = Readonly<Record<string, string | undefined>>;

/** @returns exit code: 0 done, 1 failed, 2 wrong usage; undefined while a server runs */
export async function runProgram(args: readonly string[], env: Env): Promise<number | undefined> {
  try {
    return await run(args, env);
  } catch (error) {
    const isUsage = error instanceof SettingError || isParseError(error);
    process.stderr.write(`${isUsage || isChangguError(error) ? error.message : String(error)}\n`);
    return isUsage ? 2 : 1;
  }
}

async function run(args: readonly string[], env: Env): Promise<number | undefined> {
  const { values, positionals } = parse(args);
  if (values.help) return print(HELP);
  if (values.version) return print(`${VERSION}\n`);
  const [command = 'stdio', ...rest] = positionals;
  const settings = readSettings(values, env);
  if (command === 'install') {
    const { runInstall } = await import('./install/run-install.ts');
    return runInstall(rest[0], values);
  }
  if (values.profile !== undefined) throw new SettingError('--profile is for install only.');
  if (rest.length > 0) throw new SettingError(`Unexpected argument ${rest[0]}.`);
  if (command !== 'stdio' && command !== 'http') {
    throw new SettingError(`There is no command ${command}. See --help.`);
  }
  // Serving needs the protocol's library; nothing else does.
  const { createBridge } = await import('./create-bridge.ts');
  const bridge = await createBridge({ settings, env });
  const served = await (command === 'stdio' ? stdio(bridge) : http(bridge, env, values.listen));
  closeOnSignal(() => served.close());
  return undefined;
}

async function stdio(bridge: Bridge) {
  const { serveBridgeOverStdio } = await import('./serve-stdio.ts');
  return serveBridgeOverStdio(bridge);
}

async function http(bridge: Bridge, env: Env, listen = '127.0.0.1:4020') {
  const { serveHttp } = await import('./serve-http.ts');
  const served = await serveHttp(bridge, { listen, token: env.CHANGGU_MCP_TOKEN ?? '' });
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

function isParseError(error: unknown): error is Error {
  return (
    error instanceof TypeError && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS')
  );
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function closeOnSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void close().finally(() => process.exit(0)));
  }
}
