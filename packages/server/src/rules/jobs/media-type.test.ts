import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mediaType } from './media-type.ts';

describe('media types of files', () => {
  it.each([
    ['application/pdf', 'application/pdf'],
    ['text/csv; charset=EUC-KR', 'text/csv; charset=EUC-KR'],
    ['Text/CSV;name=a;charset="utf-8"', 'text/csv; charset=utf-8'],
    [' application/x-hwp ;name="a b.hwp"', 'application/x-hwp'],
    [`application/pdf; x="${'a'.repeat(20_000)}"`, 'application/pdf'],
    [`application/${'a'.repeat(100)}`, 'application/octet-stream'],
    [`text/plain; charset=${'a'.repeat(100)}`, 'text/plain'],
    ['application/x-hwp; name=보고서.hwp', 'application/x-hwp'],
    ['text/html\r\nset-cookie: a=b', 'application/octet-stream'],
    ['엑셀', 'application/octet-stream'],
    ['pdf', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('%j is offered as %j', (said, offered) => {
    expect(mediaType(said)).toBe(offered);
  });

  it('can be sent as a header, whatever an institution calls them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (said) => {
        for (const each of [said, `a/b${said}`, `a/b;${said}`]) {
          expect(() => validateHeaderValue('content-type', mediaType(each))).not.toThrow();
        }
      }),
    );
  });
});
