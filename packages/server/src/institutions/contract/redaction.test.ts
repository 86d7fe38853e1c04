import { describe, expect, it } from 'vitest';
import { createRedactor } from './redaction.ts';

const redact = (text: string) => createRedactor(Buffer.alloc(32, 1)).text(text);

describe('what a trace shows', () => {
  it.each([
    '110-234-567890',
    '110234567890',
    '3333-01-1234567',
    '1002-345-678901',
    '124-81-00998',
    '1248100998',
    '02-330-5720',
    '031-330-5720',
    '010-1234-5678',
    '5107-1234-5678-9012',
    '900101-1234567',
    'kim@union.example',
  ])('is not %s', (value) => {
    const shown = redact(`<td>${value}</td>`);
    expect(shown).not.toContain(value);
    expect(shown).toMatch(/^<td>[\d\w.@-]+<\/td>$/);
  });

  it.each([
    '{"accessToken":"eyJh1.b2.c3"}',
    '/back?ticket=ST-1-aBcDeF&next=1',
    '<input type="hidden" name="csrf_token" value="9f8e7d6c5b">',
    "var ssoTicket = 'AQIC5wM2';",
  ])('is no token: %s', (text) => {
    const [token = ''] = /eyJh1.b2.c3|ST-1-aBcDeF|9f8e7d6c5b|AQIC5wM2/.exec(text) ?? [];
    expect(token).not.toBe('');
    expect(redact(text)).not.toContain(token);
    expect(redact(text)).toHaveLength(text.length);
  });

  it.each([
    '2026-11-21',
    '2026-11-21 09:12:33',
    '20261121091233',
    '12,345,678,901원',
    '1,234,567,890',
    '총 1024건',
    '0.12345678901234',
    'var token = readTokenOfPage(1);',
  ])('is %s as the portal printed it', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('has one stand-in for a number, however it is written', () => {
    const [dashed = '', plain] = redact('02-330-5720 023305720').split(' ');
    expect(plain).toBe(dashed.replaceAll('-', ''));
  });
});
