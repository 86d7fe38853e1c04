import { describe, expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

describe('text of others', () => {
  it('shows the marks that turn its direction, which would disguise the kind of a file', () => {
    expect(visibleText('report_\u202exslx.exe')).toBe('report_\\u202exslx.exe');
    expect(visibleText('가\u2066나\u2069')).toBe('가\\u2066나\\u2069');
  });

  it('is left as it is otherwise', () => {
    const text = "(주)한강유통 <b>'\u200d👩‍💻";
    expect(visibleText(text)).toBe(text);
  });
});
