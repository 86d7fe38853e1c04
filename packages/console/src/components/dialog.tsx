import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { common } from '../app/common-texts.ts';
import { LeaveDialog } from './around-form.ts';
import { Form } from './form.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** The element whose text is read aloud with the title, as the focus begins behind it. */
  readonly describedBy?: string;
}

/** The browser's modal dialog: it keeps the focus and closes with Escape. However it closes, the focus returns. */
export function Dialog({ title, children, onClose, wide = false, describedBy }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  const id = useId();
  const leave = () => element.current?.close();
  // Runs before it becomes visible, so that Escape works from the first moment.
  useLayoutEffect(() => {
    const { activeElement: opener } = document;
    const { current: dialog } = element;
    dialog?.showModal();
    return () => {
      isGone.current = true;
      // While it is open, nothing behind it can get the focus.
      dialog?.close();
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      aria-describedby={describedBy}
      onClose={() => isGone.current || onClose()}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="button quiet" aria-label={common().close} onClick={leave}>
          ×
        </button>
      </header>
      <LeaveDialog.Provider value={leave}>{children}</LeaveDialog.Provider>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What will happen, and to what. */
  readonly consequences: ComponentChildren;
  readonly confirmLabel: string;
  readonly children?: ComponentChildren;
  readonly onConfirm: (values: FormData) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before an irreversible action. */
export function Confirm(props: ConfirmProps) {
  const { title, consequences, confirmLabel, children, onConfirm, onClose } = props;
  const id = useId();
  return (
    <Dialog title={title} onClose={onClose} describedBy={id}>
      <div class="consequences" id={id}>
        {consequences}
      </div>
      <Form
        danger
        submitLabel={confirmLabel}
        onSubmit={async (values) => {
          await onConfirm(values);
          onClose();
        }}
      >
        {children}
      </Form>
    </Dialog>
  );
}
