import type { EventRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isAttended } from './attended.ts';
import { followEvents, type LiveFilter, type StreamState } from './live-events.ts';
import { isInterrupted } from './session.ts';

/** `paused` by the person, or because no one is using the page. `polling` when there is no stream. */
export type LiveState = Exclude<StreamState, 'refused'> | 'polling' | 'paused';

/** Changes within this time are read together, so that a busy service is not polled more often. */
const GAP_MS = 1_000;
const POLL_MS = 3_000;
/** How soon a refused stream is requested again. */
const RETRY_MS = 30_000;

interface Options {
  /** Null: nothing can change any longer. */
  readonly filter: LiveFilter | null;
  readonly isPaused?: boolean;
  /** Omitted: every event of the filter matters. */
  readonly matters?: (event: EventRecord) => boolean;
  /** The minimum time between two reads. */
  readonly gapMs?: number;
  /** Reloads what is shown. */
  readonly refresh: () => void;
}

/**
 * Keeps a screen current: an event triggers a new read, so the screen always shows the service's own state and
 * stores no more than it shows.
 */
export function useLive(options: Options): LiveState {
  const { filter, isPaused = false, matters, gapMs = GAP_MS, refresh } = options;
  const state = useSignal<LiveState>('connecting');
  const attempt = useSignal(0);
  // What is shown decides what matters, and changes while the stream stays open.
  const latest = useRef(matters);
  latest.current = matters;
  const isFollowing = filter !== null && !isPaused && isAttended.value && !isInterrupted.value;
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
        // Something may have happened between the last read and the opening of the stream, or during a break.
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
      if (latest.current?.(event) !== false) soon.call();
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

/** At once, then at most once per `gapMs`; the last call always causes a run. */
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
