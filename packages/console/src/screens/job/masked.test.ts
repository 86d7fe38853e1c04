import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';
import { masked } from './masked.ts';
import { maskedSheet } from './masked-sheet.ts';
import { plainText } from './result-rows.ts';

describe('numbers in results, requests and files', () => {
  it.each([
    ['issue_no', '1234-567-8901-234'],
    ['receipt_no', '202611-12345678'],
    ['business_registration_no', '1248100998'],
    ['business_management_no_hyphenated', '124-81-00998-0'],
    ['bsno', '124-81-00998'],
    ['atfl_id', 'FILE_000000000012345'],
  ])('a person can read %s', (name, number) => {
    expect(plainText(name, number)).toBe(number);
    expect(toCsv([name], [{ [name]: number }])).toBe(`${name}\r\n${number}`);
    expect(masked('params_echo', { [name]: number })).toEqual({ [name]: number });
  });

  it.each([
    ['account_no', '110-123-456789', '****6789'],
    ['memo', '입금자 901010-1234567', '입금자 ******-*******'],
    ['memo', '환불 계좌 110123456789', '환불 계좌 ****6789'],
    ['bsno', '901010-1234567', '******-*******'],
  ])('a number of an account or a person is masked: %s %s', (name, text, shown) => {
    expect(plainText(name, text)).toBe(shown);
    expect(toCsv([name], [{ [name]: text }])).toBe(`${name}\r\n${shown}`);
    expect(masked('items', [{ [name]: [text] }])).toEqual([{ [name]: [shown] }]);
  });

  it('in a spreadsheet the heading says which they are', () => {
    const head = ['발급번호', '계좌번호', '메모'];
    const row = ['1234-567-8901-234', '110123456789', '901010-1234567'];
    const shown = ['1234-567-8901-234', '****6789', '******-*******'];
    expect(maskedSheet([['증명'], head, row])).toEqual([['증명'], head, shown]);
  });
});
