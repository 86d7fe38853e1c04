import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'idle';

export function Badge({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
