import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { webhooksTexts } from './webhooks-texts.ts';

interface Props {
  readonly secret: string;
  readonly onClose: () => void;
}

/** The only moment when it is on the page. */
export function SigningSecret({ secret, onClose }: Props) {
  const words = webhooksTexts();
  return (
    <Dialog title={words.secretTitle} onClose={onClose}>
      <p class="notice warn">{words.secretOnce}</p>
      <code class="secret">{secret}</code>
      <div class="actions">
        <Button look="primary" onClick={onClose}>
          {words.stored}
        </Button>
        <CopyButton text={secret} label={words.secretTitle} />
      </div>
    </Dialog>
  );
}
