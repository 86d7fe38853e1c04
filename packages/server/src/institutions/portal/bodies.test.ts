import { describe, expect, it, vi } from 'vitest';
import { readJson, readXml, wholeFile } from './bodies.ts';
import { decodeText, dispositionFileName } from './charset.ts';

function answer(body: string | Uint8Array, contentType: string) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return {
    status: 200,
    url: 'https://portal.example/action.do',
    contentType,
    header: () => null,
    bytes,
    text: () => decodeText(bytes, contentType),
  };
}

const json = (text: string) => readJson(answer(text, 'application/json'));
const xml = (text: string) => readXml(answer(text, 'application/xml'));
const BROKEN = 'PROVIDER_UPSTREAM_ERROR';

describe('readJson', () => {
  it.each([
    ['a value alone', '{"a":["}",1]}'],
    ['a suffix of the portal', '{"a":["}",1]}<nts<nts>nts>28S2Zq'],
    ['a guard against other sites', `)]}',\n{"a":["}",1]}`],
    ['a callback', 'jQuery1.cb({"a":["}",1]});'],
    ['a byte order mark', '\uFEFF{"a":["}",1]}'],
  ])('reads %s', (_, text) => {
    expect(json(text)).toEqual({ a: ['}', 1] });
  });

  it.each(['{"a":[1', '', '<html></html>', 'cb(', '{"a":1]'])('refuses %j', (text) => {
    expect(() => json(text)).toThrow(BROKEN);
  });

  it('does not even decode an answer of more than two megabytes', () => {
    const response = answer(Buffer.alloc(2 * 1024 * 1024 + 1, '['), 'application/json');
    const text = vi.spyOn(response, 'text');
    expect(() => readJson(response)).toThrow(BROKEN);
    expect(text).not.toHaveBeenCalled();
  });
});

describe('readXml', () => {
  it('reads elements by their own names', () => {
    const { $ } = xml(
      '<?xml version="1.0"?>\n<!-- was01 --><map id="a"><tin>1</tin><rowNum>2</rowNum></map>\n',
    );
    expect([$('tin').text(), $('rowNum').text()]).toEqual(['1', '2']);
  });

  it('reads it in the charset of its declaration', () => {
    const bytes = Buffer.concat([
      Buffer.from('<?xml version="1.0" encoding="EUC-KR"?><a>'),
      Buffer.from([0xb0, 0xa1]),
      Buffer.from('</a>'),
    ]);
    expect(readXml(answer(bytes, 'application/xml')).$('a').text()).toBe('가');
  });

  it.each(['<map><tin>1</tin>', '<map><tin>1</ti', '', 'nothing', '<html>'])(
    'refuses %j',
    (text) => {
      expect(() => xml(text)).toThrow(BROKEN);
    },
  );

  it('resolves no entity of its own', () => {
    const { $ } = xml('<a>&lt;&own;</a>');
    expect($('a').text()).toBe('<&own;');
  });
});

describe('wholeFile', () => {
  const file = (text: string, format: 'pdf' | 'xlsx') =>
    wholeFile(answer(text, 'application/octet-stream'), format).length;
  const [pdf, xlsx] = ['%PDF-1.7\n1 0 obj\n%%EOF\n', 'PK\x03\x04sheet\tPK\x05\x06\0\0'];

  it('is the whole file', () => {
    expect([file(pdf, 'pdf'), file(xlsx, 'xlsx')]).toEqual([pdf.length, xlsx.length]);
  });

  it.each([
    ['a sentence', '세션이 만료되었습니다.'],
    ['JSON', '{"result":"F"}'],
    ['nothing', ''],
    ['half of a PDF', pdf.slice(0, 15)],
    ['half of a spreadsheet', xlsx.slice(0, 8)],
  ])('is not %s in its place (D165)', (_, text) => {
    expect(() => file(text, 'pdf')).toThrow(BROKEN);
    expect(() => file(text, 'xlsx')).toThrow(BROKEN);
  });
});

describe('the name of a file', () => {
  it('is in UTF-8 or in the bytes of an old portal, rare syllables included', () => {
    const raw = (bytes: Buffer) => `attachment; filename="${bytes.toString('latin1')}"`;
    // "똠.pdf" in CP949.
    expect(dispositionFileName(raw(Buffer.from([0x8c, 0x63, ...Buffer.from('.pdf')])))).toBe(
      '똠.pdf',
    );
    expect(dispositionFileName(raw(Buffer.from('똠.pdf')))).toBe('똠.pdf');
  });

  it.each([
    // The first letter has the byte A0, a space that does not break in Latin 1.
    ['filename=정산서.hwp', '정산서.hwp'],
    ['filename=사업장 명단.xlsx ; size=3', '사업장 명단.xlsx'],
    ['filename="%EC%A0%95%EC%82%B0.hwp"', '정산.hwp'],
    ['filename="할인 50%.xlsx"', '할인 50%.xlsx'],
    ["filename=a.hwp; filename*=UTF-8''%EC%A0%95.hwp", '정.hwp'],
  ])('is read from %s as browsers do', (parameters, name) => {
    const header = Buffer.from(`attachment; ${parameters}`).toString('latin1');
    expect(dispositionFileName(header)).toBe(name);
  });

  it('keeps blanks inside it, and no pattern begins anew at each of them', () => {
    const replace = vi.spyOn(RegExp.prototype, Symbol.replace);
    const name = `a${' '.repeat(1_000)}b`;
    expect(dispositionFileName(`attachment; filename=${name} \t`)).toBe(name);
    expect(replace).not.toHaveBeenCalled();
    replace.mockRestore();
  });
});
