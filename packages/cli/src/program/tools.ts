import { type Command, Option } from '@commander-js/extra-typings';
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
    .option('--fresh', t({ ko: '데이터를 비우고 시작합니다', en: 'forget everything first' }))
    .addHelpText(
      'after',
      examples('changgu sandbox start', 'changgu sandbox start --port 0 --json'),
    )
    .action(run(async () => (await import('../commands/programs/sandbox.ts')).start));
}

export function declareMcp(command: Command, { t, run, examples }: Setup): void {
  const flags = t({ ko: 'changgu-mcp에 넘길 인자', en: 'arguments for changgu-mcp' });
  command
    .command('start')
    .description(
      t({
        ko: '현재 프로필로 MCP 서버를 시작합니다',
        en: 'start the MCP server with the profile in use',
      }),
    )
    .argument('[args...]', flags)
    .action(run(async () => (await import('../commands/programs/mcp.ts')).start));
  command
    .command('install')
    .description(
      t({
        ko: '호스트 설정에 넣을 내용을 보여 주고, 묻고, 씁니다',
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
    .action(run(async () => (await import('../commands/programs/mcp.ts')).install));
}

export function declareApi(command: Command, { t, run, values, examples }: Setup): void {
  command
    .argument('<method>', 'GET | POST | PUT | PATCH | DELETE')
    .argument('<path>', t({ ko: '경로, 예: /v1/jobs', en: 'path, e.g. /v1/jobs' }))
    .option('-d, --data <json>', t({ ko: '본문: JSON, @파일, @-', en: 'body: JSON, @file, @-' }))
    .option('-f, --raw-field <key=text>', t({ ko: '문자열 항목', en: 'a text' }), values.collect)
    .option(
      '-F, --field <key=value>',
      t({ ko: '항목. JSON이면 JSON으로', en: 'a value, JSON where it is JSON' }),
      values.collect,
    )
    .option('--idempotency-key <key>', t({ ko: '멱등성 키', en: 'Idempotency-Key' }))
    .addOption(
      new Option(
        '--as <who>',
        t({ ko: '먼저 쓸 인증 정보', en: 'credentials that go first' }),
      ).choices(['client', 'console'] as const),
    )
    .addHelpText(
      'after',
      examples(
        'changgu api GET /v1/jobs -F limit=5',
        'changgu api POST /v1/credentials/consent-url -f provider=bank_d --as console',
      ),
    )
    .action(run(async () => (await import('../commands/system/api.ts')).api));
}

export function declareDoctor(command: Command, { run }: Setup): void {
  command.action(run(async () => (await import('../commands/system/doctor.ts')).doctor));
}

export function declareCommands(command: Command, { run }: Setup): void {
  command.action(
    run(async () => {
      const { listCommands } = await import('../commands/system/list-commands.ts');
      return (cli) => listCommands(cli, command.parent);
    }),
  );
}

/** For help only: a request for completion is answered before the program is run. */
export function declareCompletion(command: Command, { examples }: Setup): void {
  command
    .argument('<shell>', 'bash | zsh | fish | powershell')
    .addHelpText(
      'after',
      examples(
        'source <(changgu completion zsh)',
        'changgu completion bash > ~/.local/share/bash-completion/completions/changgu',
      ),
    );
}
