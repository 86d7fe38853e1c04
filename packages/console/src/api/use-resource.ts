import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isAttended } from './attended.ts';
import { isInterrupted } from './session.ts';

export interface Resource<T> {
  readonly data: T | undefined;
  readonly error: Error | undefined;
  readonly isLoading: boolean;
  /** Reloads at once. */
  readonly reload: () => void;
  /** Reloads after the current read, for callers that ask more often than answers arrive. */
  readonly refresh: () => void;
}

interface Options {
  /** The interval of reloading while the page is visible. */
  readonly everyMs?: number | undefined;
  /** Reloads when this changes, and keeps showing the old data meanwhile. */
  readonly version?: number;
}

/** Data for a screen, read when it opens and whenever `key` changes. The last answer stays visible meanwhile. */
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
  const isDue = useRef(false);
  const reload = () => {
    turn.value += 1;
  };
  const refresh = () => {
    if (state.peek().isLoading) isDue.current = true;
    else reload();
  };
  useEffect(() => {
    const abort = new AbortController();
    const { value: before } = state;
    isDue.current = false;
    state.value = before.key === key ? { ...before, isLoading: true } : { key, isLoading: true };
    const show = (next: { data?: T; error?: Error }) => {
      if (abort.signal.aborted) return;
      const { data } = state.peek();
      state.value = { key, ...(data === undefined ? {} : { data }), ...next, isLoading: false };
      if (isDue.current) reload();
    };
    load(abort.signal).then(
      (data) => show({ data }),
      (error: Error) => show({ error }),
    );
    return () => abort.abort();
  }, [key, version, turn.value]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (isAttended.peek() && !isInterrupted.peek()) refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  useEffect(() => {
    if (!isInterrupted.peek() && state.peek().error !== undefined) reload();
  }, [isInterrupted.value]);
  const { data, error, isLoading } = state.value;
  const current = state.value.key === key;
  return {
    data: current ? data : undefined,
    error: current ? error : undefined,
    isLoading,
    reload,
    refresh,
  };
}
