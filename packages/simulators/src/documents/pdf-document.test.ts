import fontkit from '@pdf-lib/fontkit';
import { PDFDict, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { extractText } from 'unpdf';
import { expect, it } from 'vitest';
import { printableCharacters } from '../../test/printable-characters.ts';
import { koreanFont } from './generated/korean-font.ts';
import { printPdf } from './pdf-document.ts';

const SAMPLE = {
  title: '납세증명서(국세완납증명)',
  caption: 'B0006 / UTERDAAA04',
  lines: [['발급번호', '1234-567-8901-234']],
  closing: ['위와 같이 증명합니다.'],
  madeAt: Date.parse('2026-11-20T14:00:00+09:00'),
} as const;

it('the font has a drawn glyph for every character the sources can print', () => {
  const font = fontkit.create(Buffer.from(koreanFont, 'base64'));
  const blank = Array.from(printableCharacters()).filter((character) => {
    const point = character.codePointAt(0) ?? 0;
    const outline = font.glyphForCodePoint(point).path.toSVG();
    return !font.hasGlyphForCodePoint(point) || outline === '';
  });
  expect(blank).toEqual([' ']);
});

it('a document carries text that can be read back and the whole font', async () => {
  const bytes = await printPdf(SAMPLE);
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
  for (const part of [SAMPLE.title, SAMPLE.caption, '1234-567-8901-234', SAMPLE.closing[0]]) {
    expect(text).toContain(part);
  }
  const pdf = await PDFDocument.load(bytes);
  const embedded = pdf.context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object) => object instanceof PDFDict || object instanceof PDFRawStream)
    .map((object) => (object instanceof PDFDict ? object : object.dict))
    .filter((dict) => dict.has(PDFName.of('FontFile2')));
  expect(embedded).toHaveLength(1);
});

it('the same document is the same bytes', async () => {
  expect((await printPdf(SAMPLE)).equals(await printPdf(SAMPLE))).toBe(true);
});
