import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
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

const COPIED_MS = 4_000;

export function CopyButton({ text, label }: Props) {
  const said = useSignal<'copy' | 'copied' | 'notCopied'>('copy');
  useEffect(() => {
    if (said.value !== 'copied') return undefined;
    // So that it is said again for the next copy.
    const timer = setTimeout(() => (said.value = 'copy'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [said.value]);
  return (
    <Button
      look="quiet"
      label={`${common().copy}: ${label}`}
      onClick={async () => {
        said.value = 'copy';
        try {
          await navigator.clipboard.writeText(text);
          said.value = 'copied';
        } catch {
          // The browser does not allow it, or has no clipboard for pages without TLS.
          said.value = 'notCopied';
        }
      }}
    >
      <span aria-live="polite">{common()[said.value]}</span>
    </Button>
  );
}
