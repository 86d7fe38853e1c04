import { type Command, Option } from '@commander-js/extra-typings';
import { ENV_SCOPES } from '../wire-names.ts';
import type { Setup } from './setup.ts';

export function declareAppCredentials(keys: Command, setup: Setup): void {
  const { t, run } = setup;
  keys
    .command('list')
    .description(t({ ko: '키 목록', en: 'list keys' }))
    .action(run(async () => (await import('../commands/access/app-credentials.ts')).list));
  declareIssue(keys, setup);
  declareEnds(keys, setup);
}

function declareIssue(keys: Command, { t, run, values, examples }: Setup): void {
  keys
    .command('issue')
    .description(t({ ko: '키를 발급합니다', en: 'issue a key' }))
    .argument('<label>', t({ ko: '키 이름', en: 'name of the key' }))
    .addOption(
      new Option(
        '--env <scopes...>',
        t({ ko: '사용할 수 있는 환경', en: 'environments that it may use' }),
      ).choices(ENV_SCOPES),
    )
    .addOption(
      new Option(
        '--integration <profile>',
        t({ ko: '연동 유형', en: 'integration profile' }),
      ).choices(['standard_external', 'desktop_agent'] as const),
    )
    .option(
      '--read-only',
      t({
        ko: '발급·신고 업무, 파일 삭제, 연결 변경을 금지합니다',
        en: 'refuse irreversible actions, deleting files and changing links',
      }),
    )
    .option(
      '--allowed-actions <patterns>',
      t({
        ko: '허용할 업무(예: bank_b.*)',
        en: 'allowed actions, e.g. bank_b.* for all of bank_b',
      }),
      values.list,
    )
    .option(
      '--allow-irreversible-tools',
      t({ ko: 'AI 도구에 발급·신고 업무를 허용합니다', en: 'offer irreversible actions as tools' }),
    )
    .option(
      '--manage-webhooks',
      t({ ko: '웹훅 관리를 허용합니다', en: 'let it create and change webhooks' }),
    )
    .option(
      '--expires <time>',
      t({ ko: '만료 시각(예: 90d, 2027-01-31)', en: 'when it ends, e.g. 90d, 2027-01-31' }),
      values.until,
    )
    .option(
      '--allow-address <range>',
      t({
        ko: '허용할 IP 주소나 대역(CIDR). 여러 번 지정할 수 있습니다',
        en: 'IP address or CIDR range that it may be used from; may be repeated',
      }),
      values.collect,
    )
    .addHelpText(
      'after',
      examples('changgu app-credentials issue "nightly batch" --env real_test --read-only --json'),
    )
    .action(run(async () => (await import('../commands/access/app-credentials.ts')).issue));
}

/** What ends a secret, or the whole key. */
function declareEnds(keys: Command, { t, run, values }: Setup): void {
  keys
    .command('rotate')
    .description(
      t({
        ko: '시크릿을 교체합니다. 이전 시크릿은 잠시 더 사용할 수 있습니다',
        en: 'replace the secret; the old one still works for a while',
      }),
    )
    .argument('<client-id>', t({ ko: '클라이언트 ID', en: 'client id' }))
    .option(
      '--overlap <hours>',
      t({
        ko: '이전 시크릿을 사용할 수 있는 시간, 0~168(기본 24)',
        en: 'hours that the old secret still works, 0 to 168; default 24',
      }),
      values.integer,
    )
    .action(run(async () => (await import('../commands/access/app-credentials.ts')).rotate));
  keys
    .command('revoke')
    .description(t({ ko: '키를 폐기합니다', en: 'revoke a key permanently' }))
    .argument('<client-id>', t({ ko: '클라이언트 ID', en: 'client id' }))
    .option('--reason <reason>', t({ ko: '사유', en: 'reason' }))
    .action(run(async () => (await import('../commands/access/app-credentials.ts')).revoke));
}

export function declareAudit(audit: Command, setup: Setup): void {
  const { t, run, values, examples } = setup;
  withAuditFilters(audit.command('list'), setup)
    .description(t({ ko: '감사 기록, 최근 것부터', en: 'list records, newest first' }))
    .option('-L, --limit <n>', t({ ko: '최대 건수', en: 'maximum rows' }), values.positive, 20)
    .action(run(async () => (await import('../commands/access/audit.ts')).list));
  withAuditFilters(audit.command('export'), setup)
    .description(
      t({
        ko: '모든 기록, 형식을 지정하지 않으면 한 줄에 하나씩 JSON으로',
        en: 'every record, by default one line of JSON each',
      }),
    )
    .addHelpText('after', examples('changgu audit export --since 30d > audit.ndjson'))
    .action(run(async () => (await import('../commands/access/audit.ts')).exportAll));
}

function withAuditFilters(command: Command, { t, values }: Setup) {
  return command
    .option('--act <act>', t({ ko: '행위(예: job.submit)', en: 'what was done, e.g. job.submit' }))
    .option('--actor <id>', t({ ko: '행위자 ID', en: 'id of who did it' }))
    .option('--target <id>', t({ ko: '대상 ID', en: 'id of what it was done to' }))
    .option(
      '--since <time>',
      t({ ko: '이 시각 이후만(예: 2h, 2026-11-21)', en: 'only since then, e.g. 2h, 2026-11-21' }),
      values.since,
    );
}

export function declareMembership(command: Command, { run }: Setup): void {
  command.action(run(async () => (await import('../commands/access/membership.ts')).membership));
}

export function declareEncrypt(command: Command, { t, run, values, examples }: Setup): void {
  command
    .option(
      '--field <name=@source>',
      t({ ko: '여러 값을 JSON으로', en: 'several values, as JSON' }),
      values.collect,
    )
    .option(
      '--key <jwks-file>',
      t({
        ko: '공개키 파일. 생략하면 서버에서 가져옵니다',
        en: 'public keys; default: those of the service',
      }),
    )
    .option(
      '--binary',
      t({
        ko: '마지막 줄바꿈까지 그대로 암호화합니다',
        en: 'encrypt every byte, a line break at the end included',
      }),
    )
    .addHelpText(
      'after',
      examples(
        'changgu encrypt < password.txt',
        'changgu keys --json > keys.json; changgu encrypt --key keys.json --field account_password=@-',
      ),
    )
    .action(run(async () => (await import('../commands/access/encrypt.ts')).encrypt));
}

export function declareKeys(command: Command, { run }: Setup): void {
  command.action(run(async () => (await import('../commands/access/keys.ts')).keys));
}
