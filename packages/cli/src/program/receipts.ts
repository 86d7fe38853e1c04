import type { Command } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

export function declareReceipts(receipts: Command, { t, run, values, examples }: Setup): void {
  receipts
    .command('list')
    .description(t({ ko: '처리 확인서 목록, 번호 순서로', en: 'list receipts by their numbers' }))
    .option('-L, --limit <n>', t({ ko: '최대 건수', en: 'maximum rows' }), values.positive, 20)
    .action(run(async () => (await import('../commands/receipts/list.ts')).list));
  receipts
    .command('download')
    .description(
      t({
        ko: '아직 없는 처리 확인서와 공개키를 저장합니다',
        en: 'save receipts that are not there yet, and the public keys',
      }),
    )
    .argument('[job...]', t({ ko: '작업 ID. 생략하면 전부', en: 'job ids; all unless given' }))
    .option('--to <directory>', t({ ko: '저장할 디렉터리', en: 'directory to save them in' }))
    .addHelpText('after', examples('changgu receipts download --to ./receipts/'))
    .action(run(async () => (await import('../commands/receipts/download.ts')).download));
  receipts
    .command('verify')
    .description(
      t({
        ko: '서명과 빠진 번호를 오프라인으로 확인합니다',
        en: 'check signatures and missing numbers, offline',
      }),
    )
    .argument('<file...>', t({ ko: '처리 확인서 파일', en: 'files with receipts' }))
    .option(
      '--keys <jwks-file>',
      t({
        ko: '공개키 파일(기본: 같은 디렉터리의 receipt-keys.json)',
        en: 'public keys; default: receipt-keys.json beside the first file',
      }),
    )
    .addHelpText('after', examples('changgu receipts verify ./receipts/*.jws'))
    .action(run(async () => (await import('../commands/receipts/verify.ts')).verify));
}
