import { expect, it } from 'vitest';
import { CertificateError } from './certificate-error.ts';
import { toDer } from './der.ts';

it('reads an upload in one pass, however much white space it has', () => {
  const der = Buffer.from([0x30, 0x03, 0x02, 0x01, 0x07]);
  const base64 = der.toString('base64');
  expect(Buffer.from(toDer(Buffer.from(` ${base64.slice(0, 3)}\r\n${base64.slice(3)}\n`)))).toEqual(
    der,
  );
  // A pattern that takes white space in two of its places tries each of these as the border.
  const spaces = ' '.repeat(500_000);
  expect(() => toDer(Buffer.from(`${spaces}!`))).toThrow(CertificateError);
  expect(() => toDer(Buffer.from(`${spaces}${base64}${spaces}!`))).toThrow(CertificateError);
});
