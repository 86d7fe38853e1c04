import type { OrganizationMember } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import type { PersonSession } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { count, dateTime } from '../../app/format.ts';
import { ActButton } from '../../components/act-button.tsx';
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
  const isWithdrawing = useSignal(false);
  // Known before the dialog opens, because they decide what else is deleted.
  const others = useSignal<Others | null>(null);
  const open = useResource('', (signal) => call('listDeletions', { signal }));
  const close = () => {
    isWithdrawing.value = false;
    others.value = null;
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
              <ActButton
                act={async () => {
                  if (pending === undefined) others.value = await readOthers(who);
                  else isWithdrawing.value = true;
                }}
              >
                {pending === undefined ? words.ask : words.withdraw}
              </ActButton>
            </div>
            {others.value !== null && pending === undefined ? (
              <Ask who={who} others={others.value} onClose={close} onDone={open.reload} />
            ) : null}
            {isWithdrawing.value && pending !== undefined ? (
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

type Others = readonly OrganizationMember[];

interface AskProps extends ActProps {
  readonly who: PersonSession;
  readonly others: Others;
}

function Ask({ who, others, onClose, onDone }: AskProps) {
  const words = deletionTexts();
  return (
    <Confirm
      title={words.askTitle}
      confirmLabel={words.ask}
      consequences={
        <>
          <p>{words.account}</p>
          <OfOrganization who={who} others={others} />
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
function OfOrganization({ who, others }: Pick<AskProps, 'who' | 'others'>) {
  const words = deletionTexts();
  const { name } = who.organization;
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
}

/** The other members; none where the person may not know them, and so is not an owner. */
async function readOthers({ user }: PersonSession): Promise<Others> {
  if (!may('listMembers')) return [];
  const { items } = await call('listMembers');
  return items.filter(({ user_id: id }) => id !== user.user_id);
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
