import type { Command } from '@commander-js/extra-typings';
import { paramOptions } from './param-options.ts';
import type { Setup } from './setup.ts';

export function declareAllAccounts(group: Command, setup: Setup): void {
  const { t, run, values, examples } = setup;
  const shared = paramOptions(setup);
  const concurrency = [
    '--concurrency <n>',
    t({ ko: '동시에 기다릴 작업 수', en: 'jobs waited for at a time' }),
  ] as const;
  const name = t({ ko: '실행 이름 또는 last', en: 'name of the run, or last' });

  group
    .command('run')
    .description(t({ ko: '새로 실행합니다', en: 'start a run' }))
    .argument(
      '<action>',
      t({ ko: '계좌를 선택하는 업무 ID', en: 'action id that selects an account' }),
    )
    .option(...shared.param)
    .option(...shared.params)
    .option('--link <id>', t({ ko: '이 연결의 계좌만', en: 'only accounts of this link' }))
    .option('--accounts <ids>', t({ ko: '이 계좌만', en: 'only these accounts' }), values.list)
    .option(
      '--idempotency-key <key>',
      t({
        ko: '같은 키는 어떤 계좌도 두 번 접수하지 않습니다',
        en: 'the same key submits no account twice',
      }),
    )
    .option(...shared.unchecked)
    .option(...concurrency, values.integer, 8)
    .addHelpText(
      'after',
      examples(
        'changgu all-accounts run bank_b.accounts.transaction_history.search -p from_date=20260901',
        'changgu all-accounts run bank_a.accounts.quick_summary.get -o ndjson > balances.ndjson',
      ),
    )
    .action(run(async () => (await import('../commands/all-accounts/run.ts')).run));

  group
    .command('resume')
    .description(t({ ko: '중단된 실행을 이어서 진행합니다', en: 'go on with a run' }))
    .argument('[run]', name, 'last')
    .option(
      '--retry-failed',
      t({ ko: '실패한 계좌를 다시 접수합니다', en: 'submit failed accounts anew' }),
    )
    .option(
      '--all',
      t({
        ko: '이미 끝난 계좌의 결과도 다시 출력합니다',
        en: 'print accounts that ended before, too',
      }),
    )
    .option(...concurrency, values.integer, 8)
    .addHelpText(
      'after',
      examples(
        'changgu all-accounts resume last',
        'changgu all-accounts resume last --retry-failed',
      ),
    )
    .action(run(async () => (await import('../commands/all-accounts/resume.ts')).resume));

  group
    .command('status')
    .description(t({ ko: '실행 기록', en: 'runs, or the accounts of one' }))
    .argument('[run]', name)
    .action(run(async () => (await import('../commands/all-accounts/status.ts')).status));
}
