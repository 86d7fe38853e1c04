import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language } from '../requests/language.ts';
import { type Demo, demoFile } from './demo-file.ts';

/** The one line of `dev --json`. */
export function readyLine(demo: Demo, dataDir: string): string {
  const ready = { ready: true, base_url: demo.base_url, demo_file: resolve(demoFile(dataDir)) };
  return `${JSON.stringify(ready)}\n`;
}

const WORDS = {
  ko: {
    ready: '창구(Changgu)가 준비되었습니다.',
    address: '주소',
    docs: 'API 문서',
    console: '콘솔(1회용)',
    demo: '데모 정보',
    paste: '다른 터미널에 아래 한 줄을 붙여 넣은 뒤,',
    run: '다음 명령을 실행해 보십시오.',
    stop: '종료하려면 Ctrl+C를 누르십시오.',
  },
  en: {
    ready: 'Changgu is ready.',
    address: 'Address',
    docs: 'API docs',
    console: 'Console (once)',
    demo: 'Demo data',
    paste: 'Paste this line into another terminal:',
    run: 'Then try these commands:',
    stop: 'Press Ctrl+C to stop.',
  },
} as const;

/** What people see when `dev` is ready. The commands work in any POSIX shell, in any directory. */
export function welcome(
  { demo, consoleUrl }: { readonly demo: Demo; readonly consoleUrl: string | null },
  dataDir: string,
  language: Language,
): string {
  const { base_url: url, client } = demo;
  const changgu = clientCommand();
  const words = WORDS[language];
  const facts = [
    [words.address, url],
    [words.docs, `${url}/docs`],
    ...(consoleUrl === null ? [] : [[words.console, consoleUrl] as const]),
    ['client_id', client.client_id],
    ['client_secret', client.client_secret],
    [words.demo, demoFile(dataDir)],
  ] as const;
  return `
${words.ready}

${facts.map(([name, value]) => `  ${padded(name)}${value}`).join('\n')}

${words.paste}

  export CHANGGU_BASE_URL=${url} CHANGGU_CLIENT_ID=${client.client_id} CHANGGU_CLIENT_SECRET=${client.client_secret} CHANGGU_ENV_SCOPE=sandbox

${words.run}

  ${changgu} jobs submit bank_a.accounts.list --wait
  ${changgu} jobs list
  curl -s ${url}/health

${words.stop}

`;
}

/** Pads a name to the column of the values; a Hangul syllable takes two terminal columns. */
function padded(name: string): string {
  const wide = name.match(/\p{Script=Hangul}/gu)?.length ?? 0;
  return name + ' '.repeat(15 - name.length - wide);
}

/** From source, the checkout's own script by the shortest path; otherwise the published command. */
function clientCommand(): string {
  if (!import.meta.url.endsWith('.ts')) return 'npx @changgu/cli';
  const script = fileURLToPath(new URL('../../../../changgu', import.meta.url));
  return dirname(script) === process.cwd() ? './changgu' : quoted(script);
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
