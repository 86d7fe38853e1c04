import type { AccountLinkRecord } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { Confirm } from '../../components/dialog.tsx';
import { linkScreenTexts } from './link-screen-texts.ts';

interface Props {
  readonly link: AccountLinkRecord;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function Unlink({ link, onClose, onDone }: Props) {
  const words = linkScreenTexts();
  const { account_link_id: id, display_label: label, provider } = link;
  const waiting = useResource(id, (signal) =>
    call('listJobs', {
      query: { account_link_id: id, status: ['QUEUED', 'RUNNING'], limit: 100 },
      signal,
    }),
  );
  return (
    <Confirm
      title={words.unlinkTitle}
      confirmLabel={words.unlink}
      onClose={onClose}
      consequences={
        <>
          <p>
            <strong>{label ?? provider}</strong> <code>{id}</code>
          </p>
          <ul>
            {words.unlinkWhat.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
            {waiting.data === undefined ? null : (
              <li>{words.waiting(waiting.data.items.length)}</li>
            )}
          </ul>
        </>
      }
      onConfirm={async () => {
        await call('unlinkCredential', { params: { account_link_id: id } });
        onDone();
      }}
    />
  );
}
