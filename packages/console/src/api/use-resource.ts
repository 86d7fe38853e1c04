import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isAttended } from './attended.ts';

export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Options {
  /** Reads again so often while the page is in view. */
  readonly everyMs?: number | undefined;
  /** Reads again when it changes and keeps what is in view. */
  readonly version?: number;
}

/** What a screen shows, read when it opens and whenever `key` changes. The last answer stays in view meanwhile. */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs, version = 0 }: Options = {},
): Resource<T> {
  const state = useSignal<{ key: string; data?: T; error?: Error; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const turn = useSignal(0);
  useEffect(() => {
    const abort = new AbortController();
    const { value: before } = state;
    state.value = before.key === key ? { ...before, isLoading: true } : { key, isLoading: true };
    load(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) state.value = { key, data, isLoading: false };
      },
      (error: Error) => {
        if (abort.signal.aborted) return;
        const { data } = state.peek();
        state.value = { key, ...(data === undefined ? {} : { data }), error, isLoading: false };
      },
    );
    return () => abort.abort();
  }, [key, version, turn.value]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden && isAttended()) turn.value += 1;
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  const { data, error, isLoading } = state.value;
  const current = state.value.key === key;
  return {
    data: current ? data : undefined,
    error: current ? error : undefined,
    isLoading,
    reload: () => {
      turn.value += 1;
    },
  };
}
