import { describe, expect, it } from 'vitest';
import { AUDIT_ACTS, auditActText } from '../src/texts/audit-acts.ts';

describe('acts of the audit log', () => {
  it('have a text in both languages, and no two acts the same', () => {
    const texts = Object.values(AUDIT_ACTS);
    for (const { ko, en } of texts) {
      expect(ko).toMatch(/[가-힣]/);
      expect(en).toMatch(/^[A-Z][\x20-\x7e]+$/);
    }
    expect(new Set(texts.map(({ ko }) => ko)).size).toBe(texts.length);
    expect(new Set(texts.map(({ en }) => en)).size).toBe(texts.length);
  });

  it('are read in the language asked for; an unknown name stays as it is', () => {
    expect(auditActText('job.take_effect', 'ko')).toBe('되돌릴 수 없는 단계 진입');
    expect(auditActText('job.take_effect', 'en')).toBe('Passed the point of no return');
    expect(auditActText('toString', 'ko')).toBe('toString');
  });
});
