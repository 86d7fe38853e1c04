import type { IdentityProvider } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, asksForFactor, isRefusedCredential } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { canUsePasskeys, logInWithPasskey } from '../../api/passkeys.ts';
import { farewell, isInterrupted, session } from '../../api/session.ts';
import { logIn, logInAsOperator } from '../../api/sign-in.ts';
import { useResource } from '../../api/use-resource.ts';
import { LanguageAndTheme } from '../../app/language-and-theme.tsx';
import { serviceUrl } from '../../app/router.ts';
import { texts } from '../../app/texts.ts';
import { ActButton } from '../../components/act-button.tsx';
import { Button, Link } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { FieldError } from '../../components/field-errors.ts';
import { AddedFields, Form, textOf } from '../../components/form.tsx';

const words = texts({
  ko: {
    title: '창구 콘솔에 로그인',
    ended: '세션이 종료되었습니다. 다시 로그인하십시오.',
    used: '이미 사용한 로그인 링크입니다.',
    email: '이메일',
    password: '비밀번호',
    signIn: '로그인',
    passkey: '패스키로 로그인',
    at: (label: string) => `${label} 계정으로 로그인`,
    factor: '2단계 인증 코드',
    factorHint: '인증 앱의 여섯 자리 코드나 복구 코드를 입력하거나 패스키로 로그인하십시오.',
    wrong: '이메일이나 비밀번호가 올바르지 않습니다. 둘 다 확인하거나 비밀번호를 재설정하십시오.',
    forgot: '비밀번호를 잊으셨습니까?',
    register: '회원 가입',
    asOperator: '운영자 토큰으로 로그인',
    asPerson: '이메일로 로그인',
    token: '운영자 토큰',
    tokenHint:
      'changgu-server admin token 명령으로 발급합니다. 이 탭의 메모리에만 두며 저장하지 않습니다.',
    wrongToken:
      '토큰이 올바르지 않거나 만료되었습니다. 서버에서 changgu-server admin token --email <이메일> 명령으로 새로 발급하십시오.',
    notOperator:
      '운영자의 토큰이 아니라 구성원이나 프로그램의 토큰입니다. 운영자 토큰은 서버에서 changgu-server admin token --email <이메일> 명령으로 발급합니다. 구성원은 이메일로 로그인하십시오.',
  },
  en: {
    title: 'Sign in to the Changgu console',
    ended: 'Your session has ended. Sign in again.',
    used: 'This sign-in link has been used.',
    email: 'Email',
    password: 'Password',
    signIn: 'Sign in',
    passkey: 'Sign in with a passkey',
    at: (label: string) => `Sign in with ${label}`,
    factor: 'Code of the second factor',
    factorHint: 'Six digits of the authenticator app, or a recovery code. A passkey works as well.',
    wrong: 'The email or the password is wrong. Check both, or reset your password.',
    forgot: 'Forgot your password?',
    register: 'Create an account',
    asOperator: 'Sign in with an operator token',
    asPerson: 'Sign in with email',
    token: 'Operator token',
    tokenHint:
      'Issued by changgu-server admin token. It stays in the memory of this tab and is never stored.',
    wrongToken:
      'The token is not valid or has expired. Issue a new one on the server: changgu-server admin token --email <email>.',
    notOperator:
      'This is the token of a member or a program, not of an operator. A token of an operator is issued on the server: changgu-server admin token --email <email>. Members sign in with their email.',
  },
});

export function SignIn() {
  // What an operator typed waits below for the same operator.
  const asOperator = useSignal(session.peek()?.kind === 'operator');
  const { title, asOperator: toOperator, asPerson } = words();
  const { data: ways } = useResource('providers', () => call('listIdentityProviders'));
  // What waits below would be lost if this tab showed another page. Signing in in a new one lifts the cover here, too.
  const { value: isCover } = isInterrupted;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  // The screen that had the focus is gone.
  useEffect(() => {
    if (farewell.value !== null) heading.current?.focus();
  }, []);
  return (
    <main class="sign-in">
      <p class="brand">
        창구 <span>Changgu</span>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <Reason />
      {asOperator.value ? <OperatorForm /> : <PersonForm />}
      {canUsePasskeys && !asOperator.value ? (
        <ActButton act={logInWithPasskey}>{words().passkey}</ActButton>
      ) : null}
      {asOperator.value ? null : <Providers items={ways?.items ?? []} apart={isCover} />}
      <div class="foot">
        <Link to="forgot-password" apart={isCover}>
          {words().forgot}
        </Link>
        {ways?.registration === 'open' ? (
          <Link to="register" apart={isCover}>
            {words().register}
          </Link>
        ) : null}
        <Button look="quiet" onClick={() => (asOperator.value = !asOperator.value)}>
          {asOperator.value ? asPerson : toOperator}
        </Button>
        <LanguageAndTheme />
      </div>
    </main>
  );
}

/** Why there is no session any longer. Who left it knows. */
function Reason() {
  const { value: why } = farewell;
  if (why === null || why === 'left') return null;
  return (
    <p class="notice warn" role="alert">
      {words()[why]}
    </p>
  );
}

interface ProvidersProps {
  readonly items: readonly IdentityProvider[];
  readonly apart: boolean;
}

/** Identity providers that the operator has configured. The browser leaves the console for the provider. */
function Providers({ items, apart }: ProvidersProps) {
  const { at } = words();
  return (
    <>
      {items.map(({ provider, label }) => (
        <a
          key={provider}
          class="button"
          target={apart ? '_blank' : undefined}
          href={serviceUrl(`/v1/auth/providers/${provider}/start`).href}
        >
          {at(label)}
        </a>
      ))}
    </>
  );
}

function PersonForm() {
  const { email, password, signIn, factor, factorHint, wrong } = words();
  const needsFactor = useSignal(false);
  return (
    <Form
      key="person"
      submitLabel={signIn}
      onSubmit={async (values) => {
        try {
          await logIn({
            email: textOf(values, 'email') ?? '',
            password: textOf(values, 'password') ?? '',
            factorCode: textOf(values, 'factor_code')?.trim(),
          });
        } catch (error) {
          if (isRefusedCredential(error)) throw new FieldError('password', wrong);
          // The first error only asks for the code.
          if (needsFactor.value || !asksForFactor(error)) throw error;
          needsFactor.value = true;
        }
      }}
    >
      <TextField label={email} name="email" type="email" required autocomplete="username" />
      <TextField
        label={password}
        name="password"
        type="password"
        required
        autocomplete="current-password"
      />
      {needsFactor.value ? (
        <AddedFields>
          <TextField
            label={factor}
            hint={factorHint}
            name="factor_code"
            required
            autocomplete="one-time-code"
          />
        </AddedFields>
      ) : null}
    </Form>
  );
}

function OperatorForm() {
  const { token, tokenHint, signIn, wrongToken, notOperator } = words();
  return (
    <Form
      key="operator"
      submitLabel={signIn}
      onSubmit={async (values) => {
        try {
          await logInAsOperator(textOf(values, 'token')?.trim() ?? '');
        } catch (error) {
          if (isRefusedCredential(error)) throw new FieldError('token', wrongToken);
          if (isOfOthers(error)) throw new FieldError('token', notOperator);
          throw error;
        }
      }}
    >
      <TextField
        label={token}
        hint={tokenHint}
        name="token"
        type="password"
        required
        autocomplete="off"
      />
    </Form>
  );
}

/** A token that is valid, and not an operator's. */
function isOfOthers(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}
