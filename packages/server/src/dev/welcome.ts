import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Demo, demoFile } from './demo-file.ts';

/** The one line of `dev --json`. */
export function readyLine(demo: Demo, dataDir: string): string {
  const ready = { ready: true, base_url: demo.base_url, demo_file: resolve(demoFile(dataDir)) };
  return `${JSON.stringify(ready)}\n`;
}

/** What a person sees when `dev` is ready. The commands can be pasted into any POSIX shell, in any directory. */
export function welcome({ base_url: url, client }: Demo, dataDir: string): string {
  const changgu = clientCommand();
  return `
창구(Changgu)가 준비되었습니다.

  주소           ${url}
  문서           ${url}/docs
  client_id      ${client.client_id}
  client_secret  ${client.client_secret}
  데모 정보      ${demoFile(dataDir)}

다른 터미널에 아래 한 줄을 붙여 넣은 뒤,

  export CHANGGU_BASE_URL=${url} CHANGGU_CLIENT_ID=${client.client_id} CHANGGU_CLIENT_SECRET=${client.client_secret} CHANGGU_ENV_SCOPE=sandbox

다음 명령을 실행해 보십시오.

  ${changgu} jobs submit bank_a.accounts.list --wait
  ${changgu} jobs list
  curl -s ${url}/health

끝내려면 Ctrl+C를 누르십시오.

`;
}

/** The checkout's own when run from source, as short as the folder allows; else the one of the registry. */
function clientCommand(): string {
  if (!import.meta.url.endsWith('.ts')) return 'npx @changgu/cli';
  const script = fileURLToPath(new URL('../../../../changgu', import.meta.url));
  return dirname(script) === process.cwd() ? './changgu' : quoted(script);
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
