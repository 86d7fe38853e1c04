import { describe, expect, it } from 'vitest';
import { type SoldVersion, soldByAction } from './sold-version.ts';

const ACTION = 'bank_a.accounts.list';

function version(versionId: number, more: Partial<SoldVersion> = {}): SoldVersion {
  return {
    action: ACTION,
    versionId,
    resultSchema: `${ACTION}.v${versionId}`,
    status: 'PUBLISHED',
    publishedAt: versionId * 1_000,
    ...more,
  };
}

const chosen = (...versions: SoldVersion[]) => soldByAction(versions).get(ACTION)?.versionId;

describe('what is sold of an action', () => {
  it('is the version published last, of whichever product (D161)', () => {
    expect(chosen(version(1), version(3), version(2))).toBe(3);
    expect(chosen(version(1, { publishedAt: 9_000 }), version(2))).toBe(1);
    expect(chosen(version(2, { publishedAt: 5 }), version(1, { publishedAt: 5 }))).toBe(2);
  });

  it('may be deprecated, but not retired while another is left (D161)', () => {
    expect(chosen(version(1), version(2, { status: 'DEPRECATED' }))).toBe(2);
    expect(chosen(version(1), version(2, { status: 'RETIRED' }))).toBe(1);
    expect(chosen(version(1, { status: 'RETIRED' }), version(2, { status: 'RETIRED' }))).toBe(
      undefined,
    );
  });

  it('does not depend on other actions', () => {
    const other = version(9, { action: 'bank_b.accounts.list' });
    expect(chosen(version(1), other)).toBe(1);
  });
});
