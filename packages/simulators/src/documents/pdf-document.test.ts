import { inflateSync } from 'node:zlib';
import { create, type Font } from 'fontkit';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import { printableCharacters } from '../../test/printable-characters.ts';
import { koreanFont } from './generated/korean-font.ts';
import { printPdf } from './pdf-document.ts';

const TRUE_TYPE = Buffer.from('true').readUInt32BE();
const SPACE_WIDTH = 310;
const SAMPLE = {
  title: '납세증명서(국세완납증명)',
  caption: 'B0006 / UTERDAAA04',
  lines: [['발급번호', '1234-567-8901-234']],
  closing: ['위와 같이 증명합니다.'],
  madeAt: Date.parse('2026-11-20T14:00:00+09:00'),
} as const;

function openFont(bytes: Buffer): Font {
  const font = create(bytes);
  if (!('glyphForCodePoint' in font)) throw new Error('this is a collection of fonts');
  return font;
}

/** The TrueType file in a PDF. */
function embeddedFont(pdf: Buffer): Font {
  for (const [, stream = ''] of pdf.toString('latin1').matchAll(/stream\n(.*?)\nendstream/gs)) {
    const bytes = inflateSync(Buffer.from(stream, 'latin1'));
    if (bytes.readUInt32BE(0) === TRUE_TYPE) return openFont(bytes);
  }
  throw new Error('the document has no font');
}

it('the font has a drawn glyph for every character the sources can print', () => {
  const font = openFont(Buffer.from(koreanFont, 'base64'));
  const blank = Array.from(printableCharacters()).filter((character) => {
    const point = character.codePointAt(0) ?? 0;
    return !font.hasGlyphForCodePoint(point) || font.glyphForCodePoint(point).path.toSVG() === '';
  });
  expect(blank).toEqual([' ']);
});

it('a document carries text that can be read back, and says when it was made', async () => {
  const bytes = await printPdf(SAMPLE);
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
  for (const part of [SAMPLE.title, SAMPLE.caption, '1234-567-8901-234', SAMPLE.closing[0]]) {
    expect(text).toContain(part);
  }
  const { info } = await (await getDocumentProxy(new Uint8Array(bytes))).getMetadata();
  expect(info).toMatchObject({ Title: SAMPLE.title, CreationDate: 'D:20261120050000Z' });
});

it('every character that can be printed is drawn, and read back as itself', async () => {
  const characters = Array.from(printableCharacters()).filter((each) => each !== ' ');
  const lines = Array.from({ length: Math.ceil(characters.length / 20) }, (_, n) =>
    characters.slice(20 * n, 20 * (n + 1)).join(' '),
  );
  for (let n = 0; n < lines.length; n += 20) {
    const closing = lines.slice(n, n + 20);
    const bytes = await printPdf({ ...SAMPLE, lines: [], closing });
    const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
    for (const line of closing) expect(text).toContain(line);
    const font = embeddedFont(bytes);
    // Without the first glyph of every font, which stands for what is missing.
    const glyphs = Array.from({ length: font.numGlyphs - 1 }, (_, n) => font.getGlyph(n + 1));
    const isBlank = ({ path }: (typeof glyphs)[number]) => path.toSVG() === '';
    expect(glyphs.filter(isBlank).map(({ advanceWidth }) => advanceWidth)).toEqual([SPACE_WIDTH]);
    const used = new Set(SAMPLE.title + SAMPLE.caption + closing.join(''));
    // A composed glyph brings its parts.
    expect(glyphs.length).toBeGreaterThanOrEqual(used.size);
  }
});

it('the same document is the same bytes', async () => {
  expect((await printPdf(SAMPLE)).equals(await printPdf(SAMPLE))).toBe(true);
});
