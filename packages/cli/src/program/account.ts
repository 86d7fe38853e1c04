import { type Command, Option } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

const OTHER_LOGINS = ['email', 'clientId', 'tokenStdin', 'demo'];

export function declareLogin(command: Command, { t, run, examples }: Setup): void {
  command
    .option('--client-id <id>', t({ ko: '클라이언트 ID', en: 'client id' }))
    .option(
      '--secret-stdin',
      t({
        ko: '클라이언트 시크릿을 표준 입력에서 읽습니다',
        en: 'read the client secret from stdin',
      }),
    )
    .option(
      '--email <email>',
      t({ ko: '콘솔 사용자로 로그인합니다', en: 'log in as a console user' }),
    )
    .option(
      '--password-stdin',
      t({ ko: '비밀번호를 표준 입력에서 읽습니다', en: 'read the password from stdin' }),
    )
    .option(
      '--factor-code <code>',
      t({
        ko: '2단계 인증 코드 또는 복구 코드',
        en: 'code of the second factor, or a recovery code',
      }),
    )
    .option(
      '--token-stdin',
      t({
        ko: '콘솔 또는 관리자 토큰을 표준 입력에서 읽습니다',
        en: 'read a console or admin token from stdin',
      }),
    )
    .addOption(
      new Option(
        '--demo [file]',
        t({
          ko: '개발 서버의 demo.json으로 로그인합니다',
          en: "log in with a dev server's demo.json",
        }),
      ).conflicts(['email', 'clientId', 'tokenStdin']),
    )
    .addOption(webOption(t))
    .addOption(deviceOption(t))
    .addHelpText(
      'after',
      examples(
        'changgu login --base-url https://changgu.example --client-id cli_01…',
        'changgu login --client-id cli_01… --secret-stdin < secret.txt',
        'changgu login --email admin@example.com',
        'changgu login --web',
        'changgu login --demo',
      ),
    )
    .action(run(async () => (await import('../commands/account/login.ts')).login));
}

function webOption(t: Setup['t']) {
  const about = {
    ko: '브라우저에서 승인합니다(OAuth). 브라우저가 없으면 --device와 같습니다',
    en: 'approve in the browser (OAuth); same as --device where there is none',
  };
  return new Option('--web', t(about)).conflicts(OTHER_LOGINS);
}

function deviceOption(t: Setup['t']) {
  const about = {
    ko: '다른 기기의 브라우저에서 코드를 입력해 승인합니다(OAuth)',
    en: 'approve with a code in a browser on another device (OAuth)',
  };
  return new Option('--device', t(about)).conflicts(OTHER_LOGINS);
}

export function declareLogout(command: Command, { t, run }: Setup): void {
  command
    .option('--all', t({ ko: '모든 프로필', en: 'of all profiles' }))
    .option(
      '--everywhere',
      t({
        ko: '서버에 열려 있는 모든 로그인을 종료합니다',
        en: 'end every login of the user at the service',
      }),
    )
    .action(run(async () => (await import('../commands/account/logout.ts')).logout));
}

export function declareWhoami(command: Command, { run }: Setup): void {
  command.action(run(async () => (await import('../commands/account/whoami.ts')).whoami));
}

export function declareProfiles(profiles: Command, { t, run }: Setup): void {
  const name = t({ ko: '프로필 이름', en: 'name of the profile' });
  profiles
    .command('list')
    .description(t({ ko: '프로필 목록', en: 'list profiles' }))
    .action(run(async () => (await import('../commands/account/profiles.ts')).list));
  profiles
    .command('use')
    .description(t({ ko: '기본 프로필을 정합니다', en: 'choose the profile to use' }))
    .argument('<name>', name)
    .action(run(async () => (await import('../commands/account/profiles.ts')).use));
  profiles
    .command('rename')
    .description(t({ ko: '프로필의 이름을 변경합니다', en: 'rename a profile' }))
    .argument('<from>', name)
    .argument('<to>', t({ ko: '새 이름', en: 'new name' }))
    .action(run(async () => (await import('../commands/account/profiles.ts')).rename));
  profiles
    .command('remove')
    .description(
      t({ ko: '프로필과 그 인증 정보를 삭제합니다', en: 'remove a profile and its credentials' }),
    )
    .argument('<name>', name)
    .action(run(async () => (await import('../commands/account/profiles.ts')).remove));
}

export function declareConfig(config: Command, { t, run }: Setup): void {
  const setting = t({ ko: '설정 이름', en: 'name of the setting' });
  config
    .command('list')
    .description(t({ ko: '설정과 그 출처', en: 'settings and where they come from' }))
    .action(run(async () => (await import('../commands/account/config.ts')).list));
  config
    .command('get')
    .description(t({ ko: '설정 하나의 값', en: 'the value of one setting' }))
    .argument('<name>', setting)
    .action(run(async () => (await import('../commands/account/config.ts')).get));
  config
    .command('set')
    .description(
      t({ ko: '현재 프로필의 설정을 변경합니다', en: 'change a setting of the profile in use' }),
    )
    .argument('<name>', setting)
    .argument('<value>', t({ ko: '값', en: 'value' }))
    .action(run(async () => (await import('../commands/account/config.ts')).set));
  config
    .command('path')
    .description(t({ ko: '설정 파일의 위치', en: 'where the configuration file is' }))
    .action(run(async () => (await import('../commands/account/config.ts')).path));
}
