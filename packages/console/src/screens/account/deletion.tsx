import type { OrganizationMember } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import type { PersonSession } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { count, dateTime } from '../../app/format.ts';
import { Button } from '../../components/button.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { TextArea } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { deletionTexts } from './deletion-texts.ts';
import { PasswordField, passwordIn } from './proof-fields.tsx';

/** Of the person's own account: asked for, and withdrawn while it is pending. */
export function Deletion({ who }: { readonly who: PersonSession }) {
  const words = deletionTexts();
  const isAsking = useSignal(false);
  const open = useResource('', (signal) => call('listDeletions', { signal }));
  const close = () => {
    isAsking.value = false;
  };
  return (
    <Section title={words.title}>
      <Loaded of={open}>
        {({ items: [pending] }) => (
          <>
            {pending === undefined ? (
              <p class="faint">{words.about}</p>
            ) : (
              <p class="notice warn" role="status">
                {words.pending(dateTime(pending.scheduled_at))}
              </p>
            )}
            <div class="actions">
              <Button onClick={() => (isAsking.value = true)}>
                {pending === undefined ? words.ask : words.withdraw}
              </Button>
            </div>
            {isAsking.value && pending === undefined ? (
              <Ask who={who} onClose={close} onDone={open.reload} />
            ) : null}
            {isAsking.value && pending !== undefined ? (
              <Withdraw id={pending.request_uuid} onClose={close} onDone={open.reload} />
            ) : null}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface ActProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Ask({ who, onClose, onDone }: ActProps & { readonly who: PersonSession }) {
  const words = deletionTexts();
  return (
    <Confirm
      title={words.askTitle}
      confirmLabel={words.ask}
      consequences={
        <>
          <p>{words.account}</p>
          <OfOrganization who={who} />
        </>
      }
      onClose={onClose}
      onConfirm={async (values) => {
        const reason_text = textOf(values, 'reason_text') ?? null;
        await call('requestDeletion', { body: { ...passwordIn(values), reason_text } });
        onDone();
      }}
    >
      <PasswordField />
      <TextArea label={words.reason} name="reason_text" maxLength={2000} rows={2} />
    </Confirm>
  );
}

/** With its last owner, an organization is deleted too. */
function OfOrganization({ who }: { readonly who: PersonSession }) {
  const words = deletionTexts();
  const members = useResource('', async (signal) =>
    may('listMembers') ? call('listMembers', { signal }) : null,
  );
  const { name } = who.organization;
  return (
    <Loaded of={members}>
      {(read) => {
        const others = othersOf(who, read?.items ?? []);
        if (who.role !== 'OWNER' || others.some(({ role }) => role === 'OWNER')) {
          return <p>{words.stays(name)}</p>;
        }
        return (
          <>
            <p>
              <strong>{words.closes(name)}</strong>
            </p>
            {others.length === 0 ? null : <p>{words.others(count(others.length))}</p>}
          </>
        );
      }}
    </Loaded>
  );
}

function othersOf({ user }: PersonSession, members: readonly OrganizationMember[]) {
  return members.filter(({ user_id: id }) => id !== user.user_id);
}

function Withdraw({ id, onClose, onDone }: ActProps & { readonly id: string }) {
  const words = deletionTexts();
  return (
    <Confirm
      title={words.withdraw}
      confirmLabel={words.withdraw}
      consequences={<p>{words.withdrawWhat}</p>}
      onClose={onClose}
      onConfirm={async (values) => {
        await call('cancelDeletion', { params: { request_uuid: id }, body: passwordIn(values) });
        onDone();
      }}
    >
      <PasswordField />
    </Confirm>
  );
}
