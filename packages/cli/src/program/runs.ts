import type { Command } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

export function declareRuns(runs: Command, { t, run, values, examples }: Setup): void {
  runs
    .command('list')
    .description(t({ ko: '실행 목록, 최근 것부터', en: 'list runs, newest first' }))
    .action(run(async () => (await import('../commands/runs/list.ts')).list));
  runs
    .command('show')
    .description(t({ ko: '실행 하나의 계좌별 상태', en: 'the accounts of a run' }))
    .argument('[run]', t({ ko: '실행 이름 또는 last', en: 'run name, or last' }), 'last')
    .addHelpText('after', examples('changgu runs show', 'changgu runs show last -o csv'))
    .action(run(async () => (await import('../commands/runs/show.ts')).show));
  runs
    .command('prune')
    .description(t({ ko: '오래된 실행 기록을 삭제합니다', en: 'delete the journals of old runs' }))
    .option(
      '--older-than <time>',
      t({ ko: '이보다 오래된 것. 기본값 30d', en: 'older than this; 30d unless given' }),
      values.duration,
    )
    .option(
      '--unfinished',
      t({ ko: '끝나지 않은 실행도 삭제합니다', en: 'also runs that can still be resumed' }),
    )
    .action(run(async () => (await import('../commands/runs/prune.ts')).prune));
}
