import type { Command } from '@commander-js/extra-typings';
import { paramOptions } from './param-options.ts';
import type { Setup } from './setup.ts';

/** One action for every bank account. */
export function declareAllAccounts(group: Command, setup: Setup): void {
  declareRun(group, setup);
  declareRuns(group, setup);
}

function concurrencyOption({ t }: Setup) {
  return [
    '--concurrency <n>',
    t({ ko: '동시에 기다릴 작업 수', en: 'jobs to wait for at a time' }),
  ] as const;
}

function declareRun(group: Command, setup: Setup): void {
  const { t, run, values, examples } = setup;
  const shared = paramOptions(setup);
  const concurrency = concurrencyOption(setup);

  group
    .command('run')
    .description(t({ ko: '새로 실행합니다', en: 'start a run' }))
    .argument(
      '<action>',
      t({ ko: '계좌별로 실행하는 업무 ID', en: 'id of an action that runs per account' }),
    )
    .option(...shared.param)
    .option(...shared.params)
    .option('--link <id>', t({ ko: '이 연결의 계좌만', en: 'only accounts of this link' }))
    .option('--accounts <ids>', t({ ko: '이 계좌만', en: 'only these accounts' }), values.list)
    .option(
      '--idempotency-key <key>',
      t({
        ko: '같은 키로는 어떤 계좌도 두 번 접수되지 않습니다',
        en: 'never submits an account twice under the same key',
      }),
      values.key,
    )
    .option(...shared.unchecked)
    .option(...shared.sandboxOutcome)
    .option(...concurrency, values.positive, 8)
    .addHelpText(
      'after',
      examples(
        'changgu all-accounts run bank_b.accounts.transaction_history.search -p from_date=20260901',
        'changgu all-accounts run bank_a.accounts.quick_summary.get -o ndjson > balances.ndjson',
      ),
    )
    .action(run(async () => (await import('../commands/all-accounts/run.ts')).run));
}

/** What is done with runs that are there. */
function declareRuns(group: Command, setup: Setup): void {
  const { t, run, values, examples } = setup;
  const concurrency = concurrencyOption(setup);
  const name = t({ ko: '실행 이름 또는 last', en: 'run name, or last' });

  group
    .command('resume')
    .description(t({ ko: '중단된 실행을 재개합니다', en: 'resume a run' }))
    .argument('[run]', name, 'last')
    .option(
      '--retry-failed',
      t({ ko: '실패한 계좌를 다시 실행합니다', en: 'retry failed accounts' }),
    )
    .option(
      '--all',
      t({
        ko: '이미 끝난 계좌도 다시 출력합니다',
        en: 'also print accounts that ended earlier',
      }),
    )
    .option(...concurrency, values.positive, 8)
    .addHelpText(
      'after',
      examples(
        'changgu all-accounts resume last',
        'changgu all-accounts resume last --retry-failed',
      ),
    )
    .action(run(async () => (await import('../commands/all-accounts/resume.ts')).resume));
}
