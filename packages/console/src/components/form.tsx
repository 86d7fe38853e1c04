import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { common } from '../app/common-texts.ts';
import { LeaveDialog } from './around-form.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import { FieldErrors, fieldErrors, soleFieldOf } from './field-errors.ts';

interface FormProps {
  readonly submitLabel: string;
  readonly children: ComponentChildren;
  readonly danger?: boolean;
  readonly onSubmit: (values: FormData) => Promise<unknown>;
  /** In a dialog, it is left unless this says otherwise. */
  readonly onCancel?: () => void;
  /** Of a form that shows now these fields, now others: with a field goes what was refused of it. */
  readonly mode?: string;
}

const FIELD = ':is(input, select, textarea):not(:disabled)';

/** Submits once at a time and shows the service's error, at the field where it is of one. The browser's own submission is never used. */
export function Form({ submitLabel, children, danger = false, onSubmit, ...props }: FormProps) {
  const state = useSignal<{ isBusy: boolean; error?: Error }>({ isBusy: false });
  const { isBusy, error } = state.value;
  const form = useRef<HTMLFormElement>(null);
  const names = namesIn(form.current);
  const leave = useContext(LeaveDialog);
  const onCancel = props.onCancel ?? leave;
  // Otherwise the focus would begin at the button that closes the dialog.
  useLayoutEffect(() => {
    const first = leave === null ? null : form.current?.querySelector<HTMLInputElement>(FIELD);
    if (!first) return;
    // A dialog that is still to be shown looks for this; in one that is open it would come too late.
    first.autofocus = true;
    first.focus();
  }, []);
  useLayoutEffect(() => {
    const { isBusy, error } = state.peek();
    if (error !== undefined) state.value = { isBusy };
  }, [props.mode]);
  useEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    wrong?.focus();
    // No one corrects what cannot be seen: the next letter begins anew.
    if (wrong instanceof HTMLInputElement && wrong.type === 'password') wrong.select();
  }, [error]);
  return (
    <form
      ref={form}
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (state.peek().isBusy) return;
        state.value = { isBusy: true };
        onSubmit(new FormData(event.currentTarget)).then(
          () => {
            state.value = { isBusy: false };
          },
          (failure: Error) => {
            state.value = { isBusy: false, error: failure };
          },
        );
      }}
    >
      <FieldErrors.Provider value={fieldErrors(error, names)}>{children}</FieldErrors.Provider>
      {error === undefined || soleFieldOf(error, names) !== undefined ? null : (
        <ErrorNotice error={error} said={names} />
      )}
      <div class="actions">
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={isBusy}>
          {isBusy ? common().sending : submitLabel}
        </Button>
        {onCancel === null ? null : <Button onClick={onCancel}>{common().cancel}</Button>}
      </div>
    </form>
  );
}

/** Fields that are asked for once a form was sent: the focus goes to the first, so that who cannot see them finds them. */
export function AddedFields({ children }: { readonly children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>(FIELD)?.focus(), []);
  return (
    <div class="added" ref={box}>
      {children}
    </div>
  );
}

function namesIn(form: HTMLFormElement | null): ReadonlySet<string> {
  const named = form?.querySelectorAll('[name]') ?? [];
  return new Set([...named].map((field) => field.getAttribute('name') ?? ''));
}

/** The text of a field, or undefined when it is empty. */
export function textOf(values: FormData, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function textsOf(values: FormData, name: string): string[] {
  return values.getAll(name).filter((value) => typeof value === 'string');
}
