import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';

interface Props {
  readonly children: ComponentChildren;
  readonly look?: 'plain' | 'quiet';
  readonly label?: string;
  readonly act: () => Promise<unknown>;
}

/** Runs one action, once at a time, and shows the service's error. */
export function ActButton({ children, look = 'plain', label, act }: Props) {
  const state = useSignal<{ isBusy: boolean; error?: Error }>({ isBusy: false });
  const { isBusy, error } = state.value;
  return (
    <>
      <Button
        look={look}
        {...(label === undefined ? {} : { label })}
        busy={isBusy}
        onClick={() => {
          state.value = { isBusy: true };
          act().then(
            () => {
              state.value = { isBusy: false };
            },
            (failure: Error) => {
              state.value = { isBusy: false, error: failure };
            },
          );
        }}
      >
        {children}
      </Button>
      {error === undefined ? null : <ErrorNotice error={error} />}
    </>
  );
}
