import { useLayoutEffect, useRef } from 'preact/hooks';
import { isInterrupted } from '../../api/session.ts';
import { holdPlace } from '../../app/router.ts';
import { SignIn } from './sign-in.tsx';

/** Over the whole screen, on which what was typed waits, and over any dialog of it. It closes with a session only. */
export function SignInAgain() {
  const element = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const { activeElement: before, title } = document;
    const { current: dialog } = element;
    dialog?.showModal();
    document.addEventListener('keydown', keepOpen, true);
    const release = holdPlace();
    return () => {
      document.removeEventListener('keydown', keepOpen, true);
      release();
      isGone.current = true;
      // What was below is visible again, so that it can take the focus.
      dialog?.classList.remove('cover');
      dialog?.close();
      // Another person has signed in: nothing of what was below returns.
      if (isInterrupted.peek()) return;
      document.title = title;
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="cover"
      // By a gesture that no page can refuse.
      onClose={() => isGone.current || element.current?.showModal()}
    >
      <SignIn />
    </dialog>
  );
}

/** Escape would close this dialog and, with it, the one below. */
function keepOpen(event: KeyboardEvent): void {
  if (event.key === 'Escape') event.preventDefault();
}
