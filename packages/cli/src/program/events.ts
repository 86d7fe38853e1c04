import { type Command, Option } from '@commander-js/extra-typings';
import { ENV_SCOPES } from '../wire-names.ts';
import type { Setup } from './setup.ts';

export function declareEvents(events: Command, { t, run, values, examples }: Setup): void {
  events
    .command('tail')
    .description(
      t({
        ko: '이벤트를 실시간으로 보여 줍니다. Ctrl-C를 누르면 종료합니다',
        en: 'show events as they happen, until Ctrl-C',
      }),
    )
    .option(
      '--type <types>',
      t({
        ko: '이 종류의 이벤트만(예: job.finished,link.suspended)',
        en: 'only these, e.g. job.finished,link.suspended',
      }),
      values.list,
    )
    .addOption(
      new Option('--env <scope>', t({ ko: '이 환경만', en: 'only this environment' })).choices(
        ENV_SCOPES,
      ),
    )
    .option('--job <job>', t({ ko: '이 작업만', en: 'only this job' }))
    .option('--link <link>', t({ ko: '이 연결만', en: 'only this link' }))
    .option(
      '--since <time>',
      t({ ko: '이 시각부터(예: 2h, 2026-11-21)', en: 'since then, e.g. 2h, 2026-11-21' }),
      values.since,
    )
    .option('--after <event>', t({ ko: '이 이벤트 다음부터', en: 'from after this event' }))
    .addHelpText('after', examples('changgu events tail --type job.finished --since 1h -o json'))
    .action(run(async () => (await import('../commands/events/tail.ts')).tail));
}
