import { describe, expect, it } from 'vitest';
import { newArtifactId, newJobId, newTraceId } from './ids.ts';

describe('ids', () => {
  it('have their prefix and form, and never repeat (R34)', () => {
    const ids = Array.from({ length: 2_000 }, newJobId);
    for (const id of ids) expect(id).toMatch(/^job_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect(newArtifactId()).toMatch(/^art_[0-9A-HJKMNP-TV-Z]{26}$/);
    const traces = Array.from({ length: 2_000 }, newTraceId);
    for (const id of traces) expect(id).toMatch(/^trc_[0-9a-f]{32}$/);
    expect(new Set(traces).size).toBe(traces.length);
  });

  it('of files are in the order in which they were made, within a millisecond, too', () => {
    const ids = Array.from({ length: 2_000 }, newArtifactId);
    expect(ids).toEqual(ids.toSorted());
  });
});
