import { useSignal } from '@preact/signals';
import { common } from '../app/common-texts.ts';
import { Button } from './button.tsx';

interface Props {
  readonly text: string;
  readonly label: string;
}

export function Code({ text, label }: Props) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it is scrolled by the keyboard */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label }: Props) {
  const isCopied = useSignal(false);
  return (
    <Button
      look="quiet"
      label={`${common().copy}: ${label}`}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        isCopied.value = true;
      }}
    >
      <span aria-live="polite">{isCopied.value ? common().copied : common().copy}</span>
    </Button>
  );
}
