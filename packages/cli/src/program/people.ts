import { Argument, type Command, Option } from '@commander-js/extra-typings';
import type { Setup } from './setup.ts';

const ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const;

export function declareMembers(members: Command, setup: Setup): void {
  const { t, run } = setup;
  const user = t({ ko: '사용자 ID', en: 'user id' });
  members
    .command('list')
    .description(t({ ko: '구성원 목록', en: 'list members' }))
    .action(run(async () => (await import('../commands/people/members.ts')).list));
  declareInvitations(members, setup);
  members
    .command('set-role')
    .description(t({ ko: '역할을 변경합니다', en: 'change a role' }))
    .argument('<user>', user)
    .addArgument(new Argument('<role>', t({ ko: '역할', en: 'role' })).choices(ROLES))
    .action(run(async () => (await import('../commands/people/members.ts')).setRole));
  members
    .command('remove')
    .description(
      t({
        ko: '구성원을 내보내고 계정을 닫습니다',
        en: 'remove a member and close the account',
      }),
    )
    .argument('<user>', user)
    .action(run(async () => (await import('../commands/people/members.ts')).remove));
  members
    .command('hand-over')
    .description(t({ ko: '소유권을 넘깁니다', en: 'hand the organization over' }))
    .argument('<user>', user)
    .action(run(async () => (await import('../commands/people/members.ts')).handOver));
}

function declareInvitations(members: Command, { t, run, examples }: Setup): void {
  members
    .command('invite')
    .description(t({ ko: '조직에 초대합니다', en: 'invite someone into the organization' }))
    .argument('<email>', t({ ko: '이메일', en: 'email address' }))
    .addOption(
      new Option('--role <role>', t({ ko: '역할', en: 'role' })).choices(ROLES).default('MEMBER'),
    )
    .addHelpText('after', examples('changgu members invite colleague@example.com --role ADMIN'))
    .action(run(async () => (await import('../commands/people/members.ts')).invite));
  members
    .command('invitations')
    .description(t({ ko: '아직 수락하지 않은 초대', en: 'list open invitations' }))
    .action(run(async () => (await import('../commands/people/members.ts')).invitations));
  members
    .command('revoke-invitation')
    .description(t({ ko: '초대를 취소합니다', en: 'revoke an invitation' }))
    .argument('<invitation>', t({ ko: '초대 ID', en: 'invitation id' }))
    .action(run(async () => (await import('../commands/people/members.ts')).revokeInvitation));
}

export function declareSessions(sessions: Command, { t, run }: Setup): void {
  sessions
    .command('list')
    .description(t({ ko: '로그인 목록', en: 'list where you are logged in' }))
    .action(run(async () => (await import('../commands/people/sessions.ts')).list));
  sessions
    .command('end')
    .description(t({ ko: '로그인 하나를 종료합니다', en: 'end one login' }))
    .argument('<session>', t({ ko: '세션 ID', en: 'session id' }))
    .action(run(async () => (await import('../commands/people/sessions.ts')).end));
}

export function declareFactors(factors: Command, { t, run, examples }: Setup): void {
  const factor = t({ ko: '인증 수단 ID', en: 'id of the factor' });
  const passwordStdin = () =>
    new Option(
      '--password-stdin',
      t({ ko: '비밀번호를 표준 입력에서 읽습니다', en: 'read your password from stdin' }),
    );
  const factorCode = () =>
    new Option(
      '--factor-code <code>',
      t({ ko: '인증 앱의 코드 또는 복구 코드', en: 'code of the app, or a recovery code' }),
    );
  factors
    .command('list')
    .description(t({ ko: '2단계 인증 수단 목록', en: 'list your second factors' }))
    .action(run(async () => (await import('../commands/people/factors.ts')).list));
  factors
    .command('add')
    .description(t({ ko: '인증 앱을 추가합니다', en: 'begin to add an authenticator app' }))
    .option('--label <label>', t({ ko: '이름', en: 'name of the app or device' }))
    .addOption(passwordStdin())
    .addOption(factorCode())
    .addHelpText('after', examples('changgu factors add --label phone'))
    .action(run(async () => (await import('../commands/people/factors.ts')).add));
  factors
    .command('confirm')
    .description(
      t({
        ko: '앱의 첫 코드로 확인하고 복구 코드를 받습니다',
        en: 'confirm with the first code of the app, and get recovery codes',
      }),
    )
    .argument('<factor>', factor)
    .addOption(factorCode())
    .action(run(async () => (await import('../commands/people/factors.ts')).confirm));
  factors
    .command('remove')
    .description(
      t({
        ko: '인증 수단을 삭제하고 모든 로그인을 종료합니다',
        en: 'remove a second factor, which ends every login',
      }),
    )
    .argument('<factor>', factor)
    .addOption(passwordStdin())
    .addOption(factorCode())
    .action(run(async () => (await import('../commands/people/factors.ts')).remove));
}
