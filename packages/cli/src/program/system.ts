import { type Command, Option } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

export function declareApi(command: Command, { t, run, values, examples }: Setup): void {
  command
    .argument(
      '<method-or-path>',
      t({ ko: 'HTTP 메서드. 생략하면 GET', en: 'HTTP method; GET unless given' }),
    )
    .argument('[path]', t({ ko: '경로, 예: /v1/jobs', en: 'path, e.g. /v1/jobs' }))
    .option('-d, --data <json>', t({ ko: '본문: JSON, @파일, @-', en: 'body: JSON, @file, @-' }))
    .option(
      '-f, --raw-field <key=text>',
      t({ ko: '문자열 항목', en: 'a string field' }),
      values.collect,
    )
    .option(
      '-F, --field <key=value>',
      t({
        ko: '항목. JSON으로 읽을 수 있으면 JSON으로 보냅니다',
        en: 'a field; parsed as JSON if it is JSON',
      }),
      values.collect,
    )
    .option('--idempotency-key <key>', t({ ko: '멱등성 키', en: 'Idempotency-Key' }))
    .option(
      '-i, --include',
      t({ ko: '상태와 헤더도 출력합니다', en: 'print status and headers, too' }),
    )
    .option('--paginate', t({ ko: '모든 페이지를 읽습니다', en: 'read all pages' }))
    .addOption(
      new Option(
        '--as <who>',
        t({ ko: '먼저 사용할 인증 정보', en: 'credentials to try first' }),
      ).choices(['client', 'console'] as const),
    )
    .addHelpText(
      'after',
      examples(
        'changgu api /v1/jobs -F limit=5',
        'changgu api /v1/jobs --paginate --jq .items[].job_id',
        'changgu api POST /v1/credentials/consent-url -f provider=bank_d --as console',
      ),
    )
    .action(run(async () => (await import('../commands/system/api.ts')).api));
}

export function declareOpen(command: Command, { t, run, examples }: Setup): void {
  command
    .argument(
      '[what]',
      t({
        ko: 'console, docs, 콘솔 화면의 이름, 작업·연결·웹훅·업무의 ID',
        en: 'console, docs, a screen of the console, or the id of a job, link, webhook or action',
      }),
      'console',
    )
    .addHelpText(
      'after',
      examples('changgu open', 'changgu open docs', 'changgu open jobs', 'changgu open job_01…'),
    )
    .action(run(async () => (await import('../commands/system/open.ts')).open));
}

export function declareDoctor(command: Command, { run }: Setup): void {
  command.action(run(async () => (await import('../commands/system/doctor.ts')).doctor));
}

export function declareCommands(command: Command, { run }: Setup): void {
  command.action(
    run(async () => {
      const { listCommands } = await import('../commands/system/list-commands.ts');
      return listCommands(command.parent);
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
