import { resolve } from 'node:path';
import { type Demo, demoFile } from './demo-file.ts';

/** The one line of `dev --json`. */
export function readyLine(demo: Demo, dataDir: string): string {
  const ready = { ready: true, base_url: demo.base_url, demo_file: resolve(demoFile(dataDir)) };
  return `${JSON.stringify(ready)}\n`;
}

/** What a person sees when `dev` is ready. The commands work as they stand. */
export function welcome({ base_url: url, client }: Demo, dataDir: string): string {
  const changgu = 'node --conditions=@changgu/source packages/cli/src/main.ts';
  return `
창구(Changgu)가 준비되었습니다.

  주소           ${url}
  문서           ${url}/docs
  client_id      ${client.client_id}
  client_secret  ${client.client_secret}
  데모 정보      ${demoFile(dataDir)}

먼저 이 셸에 연결 정보를 넣습니다.

  export CHANGGU_BASE_URL=${url} CHANGGU_CLIENT_ID=${client.client_id} CHANGGU_CLIENT_SECRET=${client.client_secret} CHANGGU_ENV_SCOPE=sandbox

그다음 아래 명령을 실행해 보십시오.

  ${changgu} jobs submit bank_a.accounts.list --wait
  ${changgu} jobs list
  curl -s ${url}/health

끝내려면 Ctrl+C를 누르십시오.

`;
}
