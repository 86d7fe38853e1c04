/**
 * Makes the small font that certificates are printed with: Gowun Dodum (SIL OFL 1.1) reduced to the
 * characters that the sources of this package can print. Run it after adding Korean texts; a test
 * fails when a character is missing. (The PDF library's own subsetting drops glyphs.)
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import subsetFont from 'subset-font';
import { printableCharacters } from '../test/printable-characters.ts';

const source = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/gowun-dodum/400Regular/GowunDodum_400Regular.ttf'),
);
const font = await subsetFont(readFileSync(source), printableCharacters(), {
  targetFormat: 'truetype',
});
writeFileSync(
  new URL('../src/documents/generated/korean-font.ts', import.meta.url),
  [
    '/*!',
    ' * Gowun Dodum, reduced. Copyright 2021 The Gowun Dodum Project Authors',
    ' * (https://github.com/yangheeryu/Gowun-Dodum). SIL Open Font License, Version 1.1.',
    ' */',
    '// Made by scripts/make-korean-font.ts.',
    `export const koreanFont = '${font.toString('base64')}';`,
    '',
  ].join('\n'),
);
