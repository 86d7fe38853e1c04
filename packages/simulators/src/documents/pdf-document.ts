const LEFT = 70;
const LABEL_WIDTH = 130;

/** A page of labelled lines, as the portals print certificates. */
export interface PrintedDocument {
  title: string;
  /** Above the title, as a form number. */
  caption: string;
  lines: readonly (readonly [label: string, value: string])[];
  closing: readonly string[];
  /** Milliseconds; stands as the file's date, so that printing again gives the same document. */
  madeAt: number;
}

/** An A4 PDF with an embedded Korean font; the libraries are loaded on first use. */
export async function printPdf(printed: PrintedDocument): Promise<Buffer> {
  const [{ PDFDocument }, { default: fontkit }, { koreanFont }] = await Promise.all([
    import('pdf-lib'),
    import('@pdf-lib/fontkit'),
    import('./generated/korean-font.ts'),
  ]);
  const pdf = await PDFDocument.create();
  pdf.registerFontkit(fontkit);
  // The library's own subsetting loses glyphs; the font holds only what the portals print.
  const korean = await pdf.embedFont(Buffer.from(koreanFont, 'base64'), {
    subset: false,
    // A ligature would be read back as another letter.
    features: { liga: false },
  });
  pdf.setTitle(printed.title);
  pdf.setProducer('simulated institution');
  pdf.setCreationDate(new Date(printed.madeAt));
  pdf.setModificationDate(new Date(printed.madeAt));
  const page = pdf.addPage([595, 842]);
  const write = (text: string, x: number, y: number, size: number): void =>
    page.drawText(text, { x, y, size, font: korean });
  write(printed.caption, LEFT, 790, 9);
  write(printed.title, (595 - korean.widthOfTextAtSize(printed.title, 22)) / 2, 730, 22);
  let y = 670;
  for (const [label, value] of printed.lines) {
    write(label, LEFT, y, 11);
    write(value, LEFT + LABEL_WIDTH, y, 11);
    y -= 26;
  }
  y -= 30;
  for (const line of printed.closing) {
    write(line, LEFT, y, 11);
    y -= 22;
  }
  return Buffer.from(await pdf.save());
}
