import type { Command } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

export function declareArtifacts(artifacts: Command, { t, run, examples }: Setup): void {
  const job = t({ ko: '작업 ID', en: 'job id' });
  artifacts
    .command('list')
    .description(t({ ko: '파일 목록', en: 'list files' }))
    .argument('<job>', job)
    .action(run(async () => (await import('../commands/files/artifacts.ts')).list));
  artifacts
    .command('download')
    .description(t({ ko: '파일을 내려받고 확인합니다', en: 'download files and verify them' }))
    .argument('[job]', job)
    .option(
      '--run <run>',
      t({
        ko: '모든 계좌 실행의 파일을 계좌별 디렉터리에(실행 이름 또는 last)',
        en: 'all files of an all-accounts run, a directory per account (run name, or last)',
      }),
    )
    .option(
      '--name <name>',
      t({ ko: '이 이름 또는 ID의 파일만', en: 'only the file of this name or id' }),
    )
    .option(
      '--to <path>',
      t({ ko: '저장할 파일이나 디렉터리, -는 표준 출력', en: 'file or directory; - for stdout' }),
    )
    .option('--force', t({ ko: '있는 파일을 덮어씁니다', en: 'replace a file that exists' }))
    .addHelpText(
      'after',
      examples(
        'changgu artifacts download job_01… --to ./statements/',
        'changgu artifacts download job_01… --to - > statement.xlsx',
        'changgu artifacts download --run last --to ./statements/',
      ),
    )
    .action(run(async () => (await import('../commands/files/download.ts')).download));
  artifacts
    .command('delete')
    .description(t({ ko: '작업의 파일을 모두 삭제합니다', en: 'delete all files of a job' }))
    .argument('<job>', job)
    .action(run(async () => (await import('../commands/files/artifacts.ts')).remove));
}
