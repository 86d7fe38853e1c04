import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/code.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { factorTexts } from './factor-texts.ts';

interface Props {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** The only moment when they are on the page. Closing the dialog forgets them. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const words = factorTexts();
  return (
    <Dialog title={words.codesTitle} onClose={onClose}>
      <p class="notice warn">{words.codesOnce}</p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button look="primary" onClick={onClose}>
          {words.stored}
        </Button>
        <CopyButton text={codes.join('\n')} label={words.codesTitle} />
      </div>
    </Dialog>
  );
}
