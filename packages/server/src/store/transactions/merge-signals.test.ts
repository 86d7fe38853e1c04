import { expect, it } from 'vitest';
import { type MergedSignals, mergeInto } from './merge-signals.ts';

function merged(...signals: Parameters<typeof mergeInto>[1]) {
  const all: MergedSignals = new Map();
  mergeInto(all, signals);
  return [...all.values()];
}

it('says once what several transactions of a commit have to say', () => {
  const told = merged(
    { kind: 'event', organizationId: 1 },
    { kind: 'finished', jobId: 'a' },
    { kind: 'event', organizationId: 1 },
    { kind: 'finished', jobId: 'b' },
    { kind: 'event', organizationId: 2 },
  );
  expect(told).toEqual([
    { kind: 'event', organizationId: 1 },
    { kind: 'finished', jobId: 'a' },
    { kind: 'finished', jobId: 'b' },
    { kind: 'event', organizationId: 2 },
  ]);
});

it('names the oldest of the jobs that became ready in a pool, and none where one is unknown', () => {
  const [real, sandbox] = ['real', 'sandbox'] as const;
  expect(
    merged(
      { kind: 'ready', pool: real, seq: 7 },
      { kind: 'ready', pool: sandbox, seq: 8 },
      { kind: 'ready', pool: real, seq: 5 },
      { kind: 'ready', pool: sandbox },
      { kind: 'ready', pool: sandbox, seq: 3 },
    ),
  ).toEqual([
    { kind: 'ready', pool: real, seq: 5 },
    { kind: 'ready', pool: sandbox },
  ]);
});
