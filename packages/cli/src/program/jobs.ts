import { type Command, Option } from '@commander-js/extra-typings';
import type { Text } from '../language.ts';
import { JOB_STATES } from '../wire-names.ts';
import { paramOptions } from './param-options.ts';
import type { Setup } from './setup.ts';

/** Jobs: one call of an institution each. */
export function declareJobs(jobs: Command, setup: Setup): void {
  declareSubmit(jobs, setup);
  declareList(jobs, setup);
  declareOne(jobs, setup);
}

const RESEND: Text = {
  ko: '응답을 받지 못한 요청을 같은 내용으로 다시 보냅니다',
  en: 'resend a submission whose answer was lost',
};
/** What is sent again is stored as it was. */
const REQUEST_OPTIONS = [
  'param',
  'params',
  'secret',
  'link',
  'idempotencyKey',
  'sandboxOutcome',
  'validate',
  'check',
];
const VALIDATE: Text = {
  ko: '서버에서 확인만 하고 제출하지 않습니다',
  en: 'let the service check it, submit nothing',
};

function declareSubmit(jobs: Command, setup: Setup): void {
  const { t, run, values, examples } = setup;
  const shared = paramOptions(setup);
  const action = t({
    ko: '업무 ID (changgu actions list)',
    en: 'action id (changgu actions list)',
  });

  jobs
    .command('submit')
    .description(t({ ko: '기관 업무 하나를 제출합니다', en: 'submit one institution call' }))
    .argument('[action]', action)
    .option(...shared.param)
    .option(...shared.params)
    .option(
      '--secret <name[=@source]>',
      t({
        ko: '암호화해 보낼 값: 이름=@-, 이름=@파일, 이름(입력 요청)',
        en: 'sent encrypted: name=@-, name=@file, or name to be prompted',
      }),
      values.collect,
    )
    .option('--link <id>', t({ ko: '사용할 연결', en: 'account link to use' }))
    .option(
      '--idempotency-key <key>',
      t({
        ko: '같은 키로는 두 번 접수되지 않습니다. 영향 없이 실패한 작업만 다시 실행합니다',
        en: 'never submits twice under the same key, except after a failure without effect',
      }),
      values.key,
    )
    .option(
      '-w, --wait',
      t({
        ko: '끝날 때까지 기다려 결과를 출력합니다',
        en: 'wait for the end and print the result',
      }),
    )
    .option('--validate', t(VALIDATE))
    .option(...shared.unchecked)
    .addOption(new Option('--resend <key>', t(RESEND)).conflicts(REQUEST_OPTIONS))
    .option(...shared.sandboxOutcome)
    .addHelpText(
      'after',
      examples(
        'changgu jobs submit bank_b.accounts.list --wait',
        'changgu jobs submit bank_b.accounts.transaction_history.search -p from_date=20260901 \\',
        '    --secret account_password=@- --wait < password.txt',
        'id=$(changgu jobs submit bank_a.accounts.list)',
      ),
    )
    .action(run(async () => (await import('../commands/jobs/submit.ts')).submit));
}

function declareList(jobs: Command, { t, run, values, examples }: Setup): void {
  jobs
    .command('list')
    .description(t({ ko: '작업 목록, 최근 것부터', en: 'list jobs, newest first' }))
    .addOption(
      new Option('-s, --status <states...>', t({ ko: '상태', en: 'states' })).choices(JOB_STATES),
    )
    .option('--provider <id>', t({ ko: '기관', en: 'institution' }))
    .option('--link <id>', t({ ko: '연결', en: 'account link' }))
    .option(
      '--idempotency-key <key>',
      t({ ko: '이 키로 접수된 것만', en: 'submitted under this key' }),
      values.key,
    )
    .option(
      '--since <time>',
      t({
        ko: '이후에 접수된 것만(예: 2h, 2026-11-21)',
        en: 'submitted since, e.g. 2h, 2026-11-21',
      }),
      values.since,
    )
    .option('-L, --limit <n>', t({ ko: '최대 건수', en: 'maximum rows' }), values.positive, 20)
    .option('--all', t({ ko: '전부', en: 'no limit' }))
    .addHelpText(
      'after',
      examples(
        'changgu jobs list --status FAILED TIMEOUT --since 1d',
        'changgu jobs list --all -o ndjson',
      ),
    )
    .action(run(async () => (await import('../commands/jobs/list.ts')).list));
}

/** What is done with jobs that are there. */
function declareOne(jobs: Command, { t, run, examples }: Setup): void {
  const id = t({ ko: '작업 ID', en: 'job id' });

  jobs
    .command('get')
    .description(t({ ko: '작업 하나의 상태', en: 'current state of one job' }))
    .argument('<job>', id)
    .option(
      '--timeline',
      t({ ko: '진행 과정을 모두 보여 줍니다', en: 'show every step it went through' }),
    )
    .action(run(async () => (await import('../commands/jobs/get.ts')).get));

  jobs
    .command('wait')
    .description(
      t({ ko: '작업이 모두 끝날 때까지 기다립니다', en: 'wait until all jobs have ended' }),
    )
    .argument('<jobs...>', id)
    .option(
      '--fail-fast',
      t({
        ko: '하나라도 성공하지 못하면 바로 종료합니다',
        en: 'stop at the first job that does not succeed',
      }),
    )
    .addHelpText('after', examples('changgu jobs wait job_01… job_01… --timeout 10m'))
    .action(run(async () => (await import('../commands/jobs/wait.ts')).wait));

  jobs
    .command('watch')
    .description(
      t({
        ko: '작업이 모두 끝날 때까지 상태를 계속 보여 줍니다',
        en: 'show jobs as they change until all have ended',
      }),
    )
    .argument(
      '[jobs...]',
      t({ ko: '작업 ID. 생략하면 지금 진행 중인 작업', en: 'job ids; default: those open now' }),
    )
    .addHelpText('after', examples('changgu jobs watch', 'changgu jobs watch job_01… -o ndjson'))
    .action(run(async () => (await import('../commands/jobs/watch.ts')).watch));

  jobs
    .command('result')
    .description(t({ ko: '성공한 작업의 결과', en: 'the result of a succeeded job' }))
    .argument('<job>', id)
    .option('-w, --wait', t({ ko: '끝날 때까지 기다립니다', en: 'wait for the end' }))
    .addHelpText('after', examples('changgu jobs result job_01… --json | jq .data.items'))
    .action(run(async () => (await import('../commands/jobs/result.ts')).result));

  jobs
    .command('cancel')
    .description(t({ ko: '작업을 취소합니다', en: 'cancel a job' }))
    .argument('<job>', id)
    .action(run(async () => (await import('../commands/jobs/cancel.ts')).cancel));
}
