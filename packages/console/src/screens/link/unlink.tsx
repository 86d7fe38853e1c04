import { type AccountLinkRecord, ENV_SCOPES } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { ENVIRONMENT_NAMES } from '../../app/common-texts.ts';
import { count } from '../../app/format.ts';
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
  const waiting = useResource(id, (signal) => countWaiting(id, signal));
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
            {waiting.data === undefined ? null : <li>{words.waiting(waiting.data)}</li>}
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

/** By environment: a link serves them all, whichever is chosen above. */
async function countWaiting(id: string, signal: AbortSignal): Promise<string> {
  const counts = await Promise.all(
    ENV_SCOPES.map(async (scope) => {
      const { items, next_cursor: next } = await call('listJobs', {
        query: { account_link_id: id, status: ['QUEUED', 'RUNNING'], limit: 100 },
        headers: { 'x-env-scope': scope },
        signal,
      });
      return `${ENVIRONMENT_NAMES()[scope]} ${count(items.length)}${next === null ? '' : '+'}`;
    }),
  );
  return counts.join(', ');
}
