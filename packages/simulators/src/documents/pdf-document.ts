import { buffer } from 'node:stream/consumers';

const LEFT = 70;
const LABEL_WIDTH = 130;
const LINE = { lineBreak: false, baseline: 'alphabetic' } as const;

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

/** An A4 PDF with an embedded Korean font; library and font are loaded on first use. */
export async function printPdf(printed: PrintedDocument): Promise<Buffer> {
  const [{ default: PDFDocument }, { koreanFont }] = await Promise.all([
    import('pdfkit'),
    import('./generated/korean-font.ts'),
  ]);
  const madeAt = new Date(printed.madeAt);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    // None of the library's own, which it would read from files that are not in a bundle.
    font: '',
    info: {
      Title: printed.title,
      Producer: 'simulated institution',
      Creator: 'simulated institution',
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  });
  const written = buffer(pdf);
  pdf.font(Buffer.from(koreanFont, 'base64'));
  const write = (text: string, x: number, y: number): void => {
    pdf.text(text, x, y, LINE);
  };
  pdf.fontSize(9);
  write(printed.caption, LEFT, 52);
  pdf.fontSize(22);
  write(printed.title, (pdf.page.width - pdf.widthOfString(printed.title, LINE)) / 2, 112);
  pdf.fontSize(11);
  let y = 172;
  for (const [label, value] of printed.lines) {
    write(label, LEFT, y);
    write(value, LEFT + LABEL_WIDTH, y);
    y += 26;
  }
  y += 30;
  for (const line of printed.closing) {
    write(line, LEFT, y);
    y += 22;
  }
  pdf.end();
  return written;
}
