import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Invitations } from './invitations.tsx';
import { InviteForm } from './invite-form.tsx';
import { Members } from './members.tsx';
import { peopleTexts } from './people-texts.ts';

export function People() {
  const words = peopleTexts();
  const isInviting = useSignal(false);
  const link = useSignal<string | null>(null);
  const invitations = useResource('', (signal) => call('listInvitations', { signal }));
  return (
    <Page
      title={words.title}
      actions={
        may('inviteMember') ? (
          <Button look="primary" onClick={() => (isInviting.value = true)}>
            {words.invite}
          </Button>
        ) : null
      }
    >
      <Members />
      <Section title={words.invitations}>
        <Loaded of={invitations}>
          {({ items }) => <Invitations invitations={items} onChange={invitations.reload} />}
        </Loaded>
      </Section>
      {isInviting.value ? (
        <InviteForm
          onClose={() => (isInviting.value = false)}
          onInvited={(newLink) => {
            link.value = newLink;
            invitations.reload();
          }}
        />
      ) : null}
      {link.value === null ? null : (
        <Dialog title={words.linkTitle} onClose={() => (link.value = null)}>
          <p class="notice warn">{words.linkAbout}</p>
          <code class="secret">{link.value}</code>
          <div class="actions">
            <CopyButton text={link.value} label={words.linkTitle} />
            <Button look="primary" onClick={() => (link.value = null)}>
              {words.done}
            </Button>
          </div>
        </Dialog>
      )}
    </Page>
  );
}
