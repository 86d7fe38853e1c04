import type { AppCredentialIssueResponse } from '@changgu/contract';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { keysTexts } from './keys-texts.ts';

interface Props {
  readonly issued: AppCredentialIssueResponse;
  readonly onClose: () => void;
}

/** The only moment when the secret is on the page. Closing the dialog forgets it. */
export function NewSecret({ issued, onClose }: Props) {
  const words = keysTexts();
  const values = [
    ['client_id', issued.client_id],
    ['client_secret', issued.client_secret],
  ] as const;
  return (
    <Dialog title={words.secretTitle} onClose={onClose}>
      <p class="notice warn">{words.secretOnce}</p>
      {values.map(([name, value]) => (
        <div key={name} class="stack">
          <div class="row">
            <strong>{name}</strong>
            <CopyButton text={value} label={name} />
          </div>
          <code class="secret">{value}</code>
        </div>
      ))}
      <div class="actions">
        <Button look="primary" onClick={onClose}>
          {words.done}
        </Button>
      </div>
    </Dialog>
  );
}
