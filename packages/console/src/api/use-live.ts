import type { EventRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isAttended } from './attended.ts';
import { followEvents, type LiveFilter, type StreamState } from './live-events.ts';

/** `paused` by the person, or because no one is looking at the page. `polling` where no stream is to be had. */
export type LiveState = Exclude<StreamState, 'refused'> | 'polling' | 'paused';

/** What comes within this time is read together, and a busy service is not asked more often. */
const GAP_MS = 1_000;
const POLL_MS = 3_000;
/** A stream that was refused is asked for again. */
const RETRY_MS = 30_000;

interface Options {
  /** Null: nothing can change any more. */
  readonly filter: LiveFilter | null;
  readonly isPaused?: boolean;
  /** Left out: every event of the filter matters. */
  readonly matters?: (event: EventRecord) => boolean;
  /** The least time between two readings. */
  readonly gapMs?: number;
  /** Reads again what is shown. */
  readonly refresh: () => void;
}

/**
 * Keeps a screen true: an event is the sign to read again, so what is shown is always what the service says, and no
 * more of it is kept than is shown.
 */
export function useLive(options: Options): LiveState {
  const { filter, isPaused = false, matters, gapMs = GAP_MS, refresh } = options;
  const state = useSignal<LiveState>('connecting');
  const attempt = useSignal(0);
  const isFollowing = filter !== null && !isPaused && isAttended.value;
  useEffect(() => {
    if (!isFollowing) {
      state.value = 'paused';
      return undefined;
    }
    const soon = throttled(refresh, gapMs);
    let again: ReturnType<typeof setTimeout> | undefined;
    let poll: ReturnType<typeof setInterval> | undefined;
    const onState = (next: StreamState) => {
      if (next !== 'refused') {
        // Between the last reading and the opening, and after a break, something may have happened.
        if (next !== 'connecting') soon.call();
        state.value = next;
        return;
      }
      state.value = 'polling';
      poll ??= setInterval(soon.call, POLL_MS);
      again ??= setTimeout(() => (attempt.value += 1), RETRY_MS);
      soon.call();
    };
    const onEvent = (event: EventRecord) => {
      if (matters?.(event) !== false) soon.call();
    };
    const stop = followEvents(filter, { onEvent, onState });
    return () => {
      stop();
      soon.cancel();
      clearTimeout(again);
      clearInterval(poll);
    };
  }, [isFollowing, JSON.stringify(filter), attempt.value]);
  return state.value;
}

/** At once, then at most once in `gapMs`; the last call always leads to one. */
function throttled(act: () => void, gapMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  return {
    call() {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          last = Date.now();
          act();
        },
        Math.max(0, last + gapMs - Date.now()),
      );
    },
    cancel: () => clearTimeout(timer),
  };
}
