import type { LiveState } from '../api/use-live.ts';
import { texts } from '../app/texts.ts';
import { Badge, type Tone } from './badge.tsx';

const words = texts<Record<LiveState, string>>({
  ko: {
    connecting: '연결 중',
    live: '실시간',
    polling: '3초마다 갱신',
    paused: '일시 정지',
    offline: '연결 끊김',
  },
  en: {
    connecting: 'Connecting',
    live: 'Live',
    polling: 'Refreshing every 3 s',
    paused: 'Paused',
    offline: 'Offline',
  },
});

const TONES: Readonly<Record<LiveState, Tone>> = {
  connecting: 'idle',
  live: 'good',
  polling: 'busy',
  paused: 'idle',
  offline: 'bad',
};

/** Whether the screen is following the service. */
export function LiveBadge({ state }: { readonly state: LiveState }) {
  return (
    <span role="status" class="live" data-state={state}>
      <Badge tone={TONES[state]}>{words()[state]}</Badge>
    </span>
  );
}
