import type { Command } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

export function declareSandbox(command: Command, { t, run, values, examples }: Setup): void {
  command
    .command('start')
    .description(
      t({
        ko: '개발 서버를 시작합니다(데모 조직, 모의 기관 포함)',
        en: 'start a dev server with a demo organization and simulated institutions',
      }),
    )
    .option(
      '--port <port>',
      t({ ko: '포트. 0이면 빈 포트', en: 'port; 0 for a free one' }),
      values.integer,
    )
    .option('--data-dir <dir>', t({ ko: '데이터 디렉터리', en: 'data directory' }))
    .option('--fresh', t({ ko: '데이터를 비우고 시작합니다', en: 'start with empty data' }))
    .addHelpText(
      'after',
      examples('changgu sandbox start', 'changgu sandbox start --port 0 --json'),
    )
    .action(run(async () => (await import('../commands/launchers/sandbox.ts')).start));
}

export function declareMcp(command: Command, { t, run, examples }: Setup): void {
  const flags = t({ ko: 'changgu-mcp에 전달할 인수', en: 'arguments for changgu-mcp' });
  command
    .command('start')
    .description(
      t({
        ko: '현재 프로필로 MCP 서버를 시작합니다',
        en: 'start the MCP server with the profile in use',
      }),
    )
    .argument('[args...]', flags)
    .action(run(async () => (await import('../commands/launchers/mcp.ts')).start));
  command
    .command('install')
    .description(
      t({
        ko: '호스트 설정에 추가할 내용을 보여 주고, 확인을 받아 저장합니다',
        en: 'show the entry for the configuration of a host, ask, and write it',
      }),
    )
    .argument(
      '<host>',
      'claude-desktop | claude-code | cursor | vscode | windsurf | gemini | codex',
    )
    .argument('[args...]', flags)
    .addHelpText(
      'after',
      examples('changgu mcp install claude-code', 'changgu mcp install codex -- --read-only'),
    )
    .action(run(async () => (await import('../commands/launchers/mcp.ts')).install));
}
