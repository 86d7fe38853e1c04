import { describe, expect, it } from 'vitest';
import { redactHeaders, redactText, redactUrl } from './redaction.ts';

describe('redaction', () => {
  it('hides the query and the credentials of a URL', () => {
    expect(redactUrl('https://u:p@h.test/v1/artifacts/a?exp=1&sig=abc')).toBe(
      'https://h.test/v1/artifacts/a?[redacted]',
    );
    expect(redactUrl('https://h.test/v1/jobs')).toBe('https://h.test/v1/jobs');
    expect(redactUrl('no url')).toBe('[redacted]');
  });

  it('hides the headers that carry a credential, in any spelling', () => {
    const headers = { Authorization: 'Basic x', 'X-API-Key': 'k', cookie: 'c', accept: 'a' };
    expect(redactHeaders(headers)).toEqual({
      Authorization: '[redacted]',
      'X-API-Key': '[redacted]',
      cookie: '[redacted]',
      accept: 'a',
    });
  });

  it('hides both inside the text of others', () => {
    const text = redactText('GET "https://h.test/a?sig=abc" with Bearer ey.J-_x= failed');
    expect(text).toBe('GET "https://h.test/a?[redacted]" with Bearer [redacted] failed');
  });
});
