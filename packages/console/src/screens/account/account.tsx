import { useSignal } from '@preact/signals';
import { isWithoutMail } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { session } from '../../api/session.ts';
import { renewSession } from '../../api/sign-in.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { serviceUrl } from '../../app/router.ts';
import { shellTexts } from '../../app/shell-texts.ts';
import { ActButton } from '../../components/act-button.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { Facts, Page, Section } from '../../components/page.tsx';
import { accountTexts } from './account-texts.ts';
import { Deletion } from './deletion.tsx';
import { EnvironmentAccess } from './environment-access.tsx';
import { Factors } from './factors.tsx';
import { Sessions } from './sessions.tsx';

export function Account() {
  const words = accountTexts();
  const who = session.value;
  if (who?.kind !== 'person') return null;
  return (
    <Page title={words.title}>
      <div class="columns">
        <Section title={words.profile}>
          <Facts
            of={[
              [words.name, who.user.name],
              [words.email, who.user.email],
              [words.confirmed, who.email_verified ? common().yes : common().no],
              [words.organization, who.organization.name],
              [words.role, shellTexts().roles[who.role]],
            ]}
          />
          {who.email_verified ? null : <ConfirmEmail />}
        </Section>
        {who.has_password ? <Password /> : null}
        <Provider connected={who.identity_provider} />
      </div>
      <Factors />
      <Sessions />
      {may('listEnvAccess') ? <EnvironmentAccess /> : null}
      <Deletion who={who} />
    </Page>
  );
}

/** Until it is confirmed, someone else could have registered the address. */
function ConfirmEmail() {
  const words = accountTexts();
  const isSent = useSignal(false);
  const sendsNone = useSignal(false);
  if (sendsNone.value) {
    return (
      <p class="notice" role="status">
        {words.confirmNever}
      </p>
    );
  }
  if (isSent.value) {
    return (
      <p class="notice good" role="status">
        {words.confirmSent}
      </p>
    );
  }
  return (
    <>
      <p class="hint">{words.confirmWhy}</p>
      <ActButton
        act={async () => {
          try {
            await call('requestEmailVerification');
            isSent.value = true;
          } catch (error) {
            if (!isWithoutMail(error)) throw error;
            sendsNone.value = true;
          }
        }}
      >
        {words.confirmAgain}
      </ActButton>
    </>
  );
}

/** Where the person signs in; once that is a provider, it is the only place. */
function Provider({ connected }: { readonly connected: string | null }) {
  const words = accountTexts();
  const { data } = useResource('providers', () => call('listIdentityProviders'));
  if (data === undefined || data.items.length === 0) return null;
  if (connected !== null) {
    const label = data.items.find(({ provider }) => provider === connected)?.label ?? connected;
    return (
      <Section title={words.provider}>
        <p>{words.connected(label)}</p>
        <p class="hint">{words.connectedHint}</p>
      </Section>
    );
  }
  return (
    <Section title={words.provider}>
      <p>{words.providerHint}</p>
      {data.items.map(({ provider, label }) => (
        <a
          key={provider}
          class="button"
          href={serviceUrl(`/v1/auth/providers/${provider}/start?pin=1`).href}
        >
          {words.connect(label)}
        </a>
      ))}
    </Section>
  );
}

function Password() {
  const words = accountTexts();
  const isChanged = useSignal(false);
  return (
    <Section title={words.password}>
      {isChanged.value ? (
        <p class="notice good" role="status">
          {words.changed}
        </p>
      ) : (
        <Form
          submitLabel={words.change}
          onSubmit={async (values) => {
            const [current_password, new_password] = [
              textOf(values, 'current_password') ?? '',
              textOf(values, 'new_password') ?? '',
            ];
            renewSession(
              await call('changePassword', { body: { current_password, new_password } }),
            );
            isChanged.value = true;
          }}
        >
          <TextField
            label={words.current}
            name="current_password"
            type="password"
            required
            autocomplete="current-password"
          />
          <TextField
            label={words.next}
            hint={words.nextHint}
            name="new_password"
            type="password"
            required
            autocomplete="new-password"
          />
        </Form>
      )}
    </Section>
  );
}
