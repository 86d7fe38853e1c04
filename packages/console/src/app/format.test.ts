import { beforeEach, describe, expect, it } from 'vitest';
import { clock, date, dateTime } from './format.ts';
import { language } from './preferences.ts';

describe('times', () => {
  beforeEach(() => {
    language.value = 'en';
  });

  it('are formatted by what is made once, as a result may have ten thousand of them', () => {
    const at = '2026-11-20T09:05:00+09:00';
    dateTime(at);
    let made = 0;
    const { DateTimeFormat } = Intl;
    class Counted extends DateTimeFormat {
      constructor(...given: ConstructorParameters<typeof DateTimeFormat>) {
        super(...given);
        made += 1;
      }
    }
    Object.assign(Intl, { DateTimeFormat: Counted });
    try {
      const shown = Array.from({ length: 100 }, () => dateTime(at));
      expect(new Set(shown)).toEqual(new Set(['Nov\u00a020,\u00a02026,\u00a009:05:00']));
      expect(made).toBe(0);
    } finally {
      Object.assign(Intl, { DateTimeFormat });
    }
  });

  it('are those of Korea', () => {
    expect(clock('2026-11-20T16:05:00Z')).toBe('01:05:00');
    expect(date('2026-11-20T16:05:00Z')).toBe('Nov\u00a021,\u00a02026');
  });
});
