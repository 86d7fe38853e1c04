import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { payloads } from './postgres-signals.ts';

describe('notices between processes', () => {
  it('carry every signal once and fit into NOTIFY', () => {
    const signal = fc.constantFrom(
      ...['ready' as const, 'changed' as const].map((kind) => ({ kind })),
      { kind: 'finished' as const, jobId: `job_${'0'.repeat(26)}` },
    );
    fc.assert(
      fc.property(fc.array(signal, { maxLength: 600 }), (signals) => {
        const parts = payloads('me', signals);
        expect(parts.every((part) => Buffer.byteLength(part) < 8_000)).toBe(true);
        expect(parts.flatMap((part) => JSON.parse(part).signals)).toEqual(signals);
      }),
      { numRuns: 30 },
    );
  });
});
