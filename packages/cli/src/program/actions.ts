import type { Command } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

export function declareActions(actions: Command, { t, run, examples }: Setup): void {
  actions
    .command('list')
    .description(t({ ko: '업무 목록', en: 'list actions' }))
    .option('--provider <id>', t({ ko: '기관', en: 'institution' }))
    .option(
      '--search <words>',
      t({ ko: '이름과 제목에서 찾을 말', en: 'words in the name or title' }),
    )
    .addHelpText(
      'after',
      examples('changgu actions list --provider bank_b', 'changgu actions list --search 거래내역'),
    )
    .action(run(async () => (await import('../commands/actions/list.ts')).list));
  actions
    .command('show')
    .description(t({ ko: '업무 하나의 파라미터와 예', en: 'params and an example of one action' }))
    .argument('<action>', t({ ko: '업무 ID', en: 'action id' }))
    .addHelpText(
      'after',
      examples('changgu actions show bank_b.accounts.transaction_history.search --json'),
    )
    .action(run(async () => (await import('../commands/actions/show.ts')).show));
}
