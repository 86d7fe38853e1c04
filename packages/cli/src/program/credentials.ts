import { type Command, Option } from '@commander-js/extra-typings';
import type { Text } from '../language.ts';
import type { Setup } from './setup.ts';

/** Links to institutions. */
export function declareLinks(links: Command, setup: Setup): void {
  declareLinkReading(links, setup);
  declareLinkCreation(links, setup);
  declareLinkChanges(links, setup);
}

function declareLinkReading(links: Command, { t, run }: Setup): void {
  links
    .command('list')
    .description(t({ ko: '연결 목록', en: 'list links' }))
    .option('--provider <id>', t({ ko: '기관', en: 'institution' }))
    .action(run(async () => (await import('../commands/credentials/links.ts')).list));
  links
    .command('get')
    .description(t({ ko: '연결 하나', en: 'one link' }))
    .argument('<link>', t({ ko: '연결 ID', en: 'link id' }))
    .action(run(async () => (await import('../commands/credentials/links.ts')).get));
}

const PURPOSE: Text = {
  ko: '실제 계정(real)인지 테스트용 계정(test)인지 정합니다. 나중에 바꿀 수 없습니다',
  en: 'real account, or account of a test system; cannot be changed later',
};

const IDENTITY: Text = {
  ko: 'encrypted_pw, login_id, login_password. 생략하면 입력을 요청합니다',
  en: 'encrypted_pw, login_id, login_password; prompted for unless given',
};
const EXCLUDED: Text = {
  ko: '인증서를 함께 연결하지 않을 기관',
  en: 'institutions not to link the certificate to',
};

function declareLinkCreation(links: Command, { t, run, values, examples }: Setup): void {
  links
    .command('create')
    .description(
      t({
        ko: '인증서, 로그인 또는 동의로 연결합니다',
        en: 'link by certificate, login or consent',
      }),
    )
    .argument('<provider>', t({ ko: '기관', en: 'institution' }))
    .option('--cert <file>', t({ ko: '인증서(DER)', en: 'certificate (DER)' }))
    .option('--key <file>', t({ ko: '개인키', en: 'private key' }))
    .option(
      '--p12 <file>',
      t({
        ko: '인증서와 개인키가 든 파일(.p12, .pfx)',
        en: 'certificate and key in one file (.p12, .pfx)',
      }),
    )
    .option('--login', t({ ko: '아이디와 비밀번호로 연결합니다', en: 'link with id and password' }))
    .option(
      '--consent-code <code>',
      t({ ko: '동의 화면에서 받은 코드', en: 'code of the consent screen' }),
    )
    .option(
      '--state <state>',
      t({ ko: '동의 화면에서 받은 state', en: 'state of the consent screen' }),
    )
    .option('--secret <name=@source>', t(IDENTITY), values.collect)
    .option('--label <text>', t({ ko: '표시 이름', en: 'display name' }))
    .addOption(new Option('--purpose <purpose>', t(PURPOSE)).choices(['real', 'test'] as const))
    .option('--primary', t({ ko: '대표 연결로 정합니다', en: 'make it the primary link' }))
    .option(
      '--confirm',
      t({
        ko: '등록된 아이디의 비밀번호를 변경합니다',
        en: 'replace the password of a registered id',
      }),
    )
    .option(
      '--biz-number <number>',
      t({ ko: '사업자등록번호', en: 'business registration number' }),
    )
    .option('--exclude-providers <ids>', t(EXCLUDED), values.list)
    .addHelpText(
      'after',
      examples(
        'changgu links create bank_b --cert signCert.der --key signPri.key',
        'changgu links create tax_portal --p12 certificate.pfx',
        'changgu links create bank_b --login --secret login_id=@id.txt --secret login_password=@-',
      ),
    )
    .action(run(async () => (await import('../commands/credentials/links.ts')).create));
}

function declareLinkChanges(links: Command, { t, run, values }: Setup): void {
  const id = t({ ko: '연결 ID', en: 'link id' });

  links
    .command('unlink')
    .description(
      t({ ko: '연결을 해제하고 인증 정보를 삭제합니다', en: 'unlink and wipe the credential' }),
    )
    .argument('<link>', id)
    .addOption(
      new Option('--reason <reason>', t({ ko: '사유', en: 'reason' })).choices([
        'user_request',
        'admin_action',
        'security_incident',
      ] as const),
    )
    .action(run(async () => (await import('../commands/credentials/links.ts')).unlink));
  links
    .command('consent-url')
    .description(
      t({ ko: '동의 화면의 주소를 만듭니다', en: 'create the URL of the consent screen' }),
    )
    .argument('<provider>', t({ ko: '기관', en: 'institution' }))
    .option(
      '--features <names>',
      t({ ko: '동의할 범위', en: 'features to consent to' }),
      values.list,
    )
    .addOption(new Option('--purpose <purpose>', t(PURPOSE)).choices(['real', 'test'] as const))
    .option('--link <link>', t({ ko: '동의를 갱신할 연결', en: 'link whose consent to renew' }))
    .option('--open', t({ ko: '브라우저에서 엽니다', en: 'open it in the browser' }))
    .action(run(async () => (await import('../commands/credentials/links.ts')).consentUrl));
  links
    .command('select')
    .description(
      t({
        ko: '선택 자산을 교체합니다. 생략하면 모두 지웁니다',
        en: 'replace the selected assets; without any, clear them',
      }),
    )
    .argument('<link>', id)
    .argument('[assets]', t({ ko: 'JSON, @파일, @-', en: 'JSON, @file, @-' }))
    .action(run(async () => (await import('../commands/credentials/links.ts')).selectAssets));
}

/** Bank accounts of a link. */
export function declareBankAccounts(accounts: Command, setup: Setup): void {
  declareAccountReading(accounts, setup);
  declareAccountSecrets(accounts, setup);
  declareAccountChanges(accounts, setup);
}

function declareAccountReading(accounts: Command, { t, run }: Setup): void {
  const link = t({ ko: '연결 ID', en: 'link id' });
  const id = t({ ko: '계좌 등록 ID', en: 'bank account id' });

  accounts
    .command('list')
    .description(t({ ko: '계좌 목록', en: 'list bank accounts' }))
    .argument(
      '[link]',
      t({ ko: '연결 ID. 생략하면 모든 연결', en: 'link id; all links unless given' }),
    )
    .action(run(async () => (await import('../commands/credentials/bank-accounts.ts')).list));
  accounts
    .command('get')
    .description(t({ ko: '계좌 하나', en: 'one bank account' }))
    .argument('<link>', link)
    .argument('<account>', id)
    .action(run(async () => (await import('../commands/credentials/bank-accounts.ts')).get));
}

/** What takes secrets. */
function declareAccountSecrets(accounts: Command, { t, run, values, examples }: Setup): void {
  const link = t({ ko: '연결 ID', en: 'link id' });
  const id = t({ ko: '계좌 등록 ID', en: 'bank account id' });

  accounts
    .command('add')
    .description(t({ ko: '계좌를 등록합니다', en: 'register a bank account' }))
    .argument('<link>', link)
    .option(
      '--secret <name=@source>',
      t({
        ko: 'account_no, account_password. 생략하면 입력을 요청합니다',
        en: 'account_no, account_password; prompted for unless given',
      }),
      values.collect,
    )
    .addHelpText(
      'after',
      examples(
        'changgu bank-accounts add 7d3f… --secret account_no=@no.txt --secret account_password=@-',
      ),
    )
    .action(run(async () => (await import('../commands/credentials/bank-accounts.ts')).add));
  accounts
    .command('password')
    .description(t({ ko: '계좌 비밀번호를 변경합니다', en: 'replace the password of an account' }))
    .argument('<link>', link)
    .argument('<account>', id)
    .option(
      '--secret <name=@source>',
      t({
        ko: 'account_password. 생략하면 입력을 요청합니다',
        en: 'account_password; prompted for unless given',
      }),
      values.collect,
    )
    .action(run(async () => (await import('../commands/credentials/bank-accounts.ts')).password));
}

function declareAccountChanges(accounts: Command, { t, run }: Setup): void {
  const link = t({ ko: '연결 ID', en: 'link id' });
  const id = t({ ko: '계좌 등록 ID', en: 'bank account id' });

  accounts
    .command('default')
    .description(t({ ko: '기본 계좌로 정합니다', en: 'make it the default account' }))
    .argument('<link>', link)
    .argument('<account>', id)
    .action(run(async () => (await import('../commands/credentials/bank-accounts.ts')).setDefault));
  accounts
    .command('remove')
    .description(t({ ko: '계좌 등록을 삭제합니다', en: 'remove a bank account' }))
    .argument('<link>', link)
    .argument('<account>', id)
    .action(run(async () => (await import('../commands/credentials/bank-accounts.ts')).remove));
}
