import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { asksForFactor, isRefusedCredential, isWithoutMail } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { canUsePasskeys } from '../../api/passkeys.ts';
import { logIn } from '../../api/sign-in.ts';
import { LanguageAndTheme } from '../../app/language-and-theme.tsx';
import { navigate } from '../../app/router.ts';
import { Link } from '../../components/button.tsx';
import { CheckField, TextField } from '../../components/field.tsx';
import { FieldError } from '../../components/field-errors.ts';
import { AddedFields, Form, textOf } from '../../components/form.tsx';
import { SecondFactorFields, secondFactorIn } from '../account/second-factor-fields.tsx';
import { oneTimeTexts } from './one-time-texts.ts';

type Words = ReturnType<typeof oneTimeTexts>;

interface OneTimePage {
  readonly title: (words: Words) => string;
  readonly submit: (words: Words) => string;
  readonly done: (words: Words) => string;
  readonly fields: (words: Words) => ComponentChildren;
  /** Pages that need no token from an email. */
  readonly isOpen?: true;
  readonly send: (token: string, values: FormData) => Promise<unknown>;
}

/** The targets of links in emails, the page that requests one, and registration. */
const PAGES: Readonly<Record<string, OneTimePage>> = {
  register: {
    title: ({ register }) => register,
    submit: ({ registerDo }) => registerDo,
    done: ({ registered }) => registered,
    isOpen: true,
    fields: registrationFields,
    send: async (_token, values) => {
      const [email, password] = [textOf(values, 'email') ?? '', textOf(values, 'password') ?? ''];
      await call('register', {
        body: {
          email,
          password,
          name: textOf(values, 'name') ?? '',
          company_name: textOf(values, 'company_name') ?? null,
          ...agreementsIn(values),
        },
      });
      await logIn({ email, password });
      navigate('');
    },
  },
  'accept-invitation': {
    title: ({ invitation }) => invitation,
    submit: ({ accept }) => accept,
    done: ({ accepted }) => accepted,
    fields: invitationFields,
    send: async (token, values) =>
      call('acceptInvitation', {
        body: {
          token,
          name: textOf(values, 'name') ?? null,
          password: textOf(values, 'password') ?? '',
          ...(await secondFactorIn(values)),
          ...agreementsIn(values),
        },
      }),
  },
  'verify-email': {
    title: ({ verify }) => verify,
    submit: ({ confirm }) => confirm,
    done: ({ verified }) => verified,
    fields: () => null,
    send: (token) => call('verifyEmail', { body: { token } }),
  },
  'reset-password': {
    title: ({ reset }) => reset,
    submit: ({ confirm }) => confirm,
    done: ({ changed }) => changed,
    fields: ({ newPassword }) => <NewPassword label={newPassword} name="new_password" />,
    send: (token, values) =>
      call('confirmPasswordReset', {
        body: { token, new_password: textOf(values, 'new_password') ?? '' },
      }),
  },
  'forgot-password': {
    title: ({ reset }) => reset,
    submit: ({ send }) => send,
    done: ({ sent }) => sent,
    isOpen: true,
    fields: ({ email }) => (
      <TextField label={email} name="email" type="email" required autocomplete="username" />
    ),
    send: (_token, values) =>
      call('requestPasswordReset', { body: { email: textOf(values, 'email') ?? '' } }),
  },
};

export function OneTimeScreen({ path }: { readonly path: string }) {
  const words = oneTimeTexts();
  const isDone = useSignal(false);
  const token = useSignal(tokenInAddress());
  const page = PAGES[path];
  const title = page?.title(words) ?? '';
  // After the #, which browsers never send; it is removed from the address, so that no bookmark keeps it.
  useEffect(() => {
    document.title = `${title} · Changgu`;
    window.history.replaceState(null, '', window.location.pathname);
  }, []);
  if (page === undefined) return null;
  return (
    <main class="sign-in">
      <h1>{title}</h1>
      <Body
        page={page}
        token={token.value}
        isDone={isDone.value}
        onDone={() => (isDone.value = true)}
      />
      <div class="foot">
        <Link to="">{words.signIn}</Link>
        <LanguageAndTheme />
      </div>
    </main>
  );
}

interface BodyProps {
  readonly page: OneTimePage;
  readonly token: string | null;
  readonly isDone: boolean;
  readonly onDone: () => void;
}

function Body({ page, token, isDone, onDone }: BodyProps) {
  const words = oneTimeTexts();
  const needsFactor = useSignal(false);
  const sendsNone = useSignal(false);
  if (sendsNone.value) {
    return (
      <p class="notice warn" role="status">
        {words.noMail}
      </p>
    );
  }
  if (isDone) {
    return (
      <p class="notice good" role="status">
        {page.done(words)}
      </p>
    );
  }
  if (token === null && !page.isOpen) return <p class="notice warn">{words.missing}</p>;
  return (
    <Form
      submitLabel={page.submit(words)}
      onSubmit={async (values) => {
        try {
          await page.send(token ?? '', values);
          onDone();
        } catch (error) {
          if (isWithoutMail(error)) {
            sendsNone.value = true;
            return;
          }
          if (isRefusedCredential(error)) throw new FieldError('password', words.wrong);
          // The first error only asks for the second factor of an account that exists.
          if (needsFactor.value || !asksForFactor(error)) throw error;
          needsFactor.value = true;
        }
      }}
    >
      {page.fields(words)}
      {needsFactor.value ? (
        <AddedFields>
          <SecondFactorFields offersPasskey={canUsePasskeys} prefersPasskey={false} />
        </AddedFields>
      ) : null}
    </Form>
  );
}

function invitationFields(words: Words): ComponentChildren {
  return (
    <>
      <TextField label={words.name} hint={words.nameHint} name="name" autocomplete="name" />
      <NewPassword label={words.password} hint={words.passwordHint} name="password" />
      {agreementFields(words, false)}
    </>
  );
}

function registrationFields(words: Words): ComponentChildren {
  return (
    <>
      <TextField
        label={words.company}
        hint={words.companyHint}
        name="company_name"
        maxLength={200}
        autocomplete="organization"
      />
      <TextField label={words.name} name="name" required maxLength={100} autocomplete="name" />
      <TextField label={words.email} name="email" type="email" required autocomplete="username" />
      <NewPassword label={words.password} hint={words.newPasswordHint} name="password" />
      {agreementFields(words, true)}
    </>
  );
}

/** Who already has an account has agreed before. */
interface NewPasswordProps {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
}

function NewPassword(props: NewPasswordProps) {
  return <TextField {...props} type="password" required autocomplete="new-password" />;
}

function agreementFields(words: Words, required: boolean): ComponentChildren {
  return (
    <>
      <CheckField label={words.terms} name="agree_terms" required={required} />
      <CheckField label={words.privacy} name="agree_privacy" required={required} />
    </>
  );
}

function agreementsIn(values: FormData) {
  return {
    agree_terms: values.get('agree_terms') !== null,
    agree_privacy: values.get('agree_privacy') !== null,
  };
}

function tokenInAddress(): string | null {
  return /^#token=([\w.-]+)$/.exec(window.location.hash)?.[1] ?? null;
}
