/** What the preview of a spreadsheet shows. */
export const PREVIEW_ROWS = 30;
const MAX_COLUMNS = 20;
/** This service writes no file that unpacks to more. */
const MAX_UNPACKED = 20_000_000;

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DEFLATED = 8;

/**
 * The first rows of the first sheet of an .xlsx file, as text. Nothing in the file becomes markup: its XML is parsed as
 * text too.
 * @throws Error when it is not such a file
 */
export async function firstRows(file: ArrayBuffer): Promise<string[][]> {
  const entries = directoryOf(new DataView(file));
  const sheetName = [...entries.keys()]
    .filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name))
    .toSorted()[0];
  if (sheetName === undefined) throw new Error('no sheet');
  const read = async (name: string) => unpacked(file, entries.get(name));
  const strings = sharedStrings(await read('xl/sharedStrings.xml'));
  const rows = [...(await read(sheetName)).matchAll(/<row\b[^>]*?(?:\/>|>(.*?)<\/row>)/gs)];
  return rows.slice(0, PREVIEW_ROWS).map(([, inner = '']) => cellsOf(inner, strings));
}

interface Entry {
  readonly offset: number;
  readonly size: number;
  readonly method: number;
}

function directoryOf(view: DataView): Map<string, Entry> {
  let end = view.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0) throw new Error('no zip file');
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new Error('no zip file');
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, length));
    entries.set(name, {
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

async function unpacked(file: ArrayBuffer, entry: Entry | undefined): Promise<string> {
  if (entry === undefined) return '';
  const { offset, size, method } = entry;
  const header = new DataView(file, offset, 30);
  const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = new Blob([new Uint8Array(file, start, size)]).stream();
  const stream =
    method === DEFLATED ? packed.pipeThrough(new DecompressionStream('deflate-raw')) : packed;
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MAX_UNPACKED) throw new Error('too large');
  }
  return text;
}

function sharedStrings(xml: string): string[] {
  return [...xml.matchAll(/<si\b[^>]*>(.*?)<\/si>/gs)].map(([, inner = '']) => textIn(inner));
}

function cellsOf(row: string, strings: readonly string[]): string[] {
  const cells: string[] = [];
  for (const [, attributes = '', inner = ''] of row.matchAll(/<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
    const column = columnOf(/\br="([A-Z]+)\d+"/.exec(attributes)?.[1], cells.length);
    if (column >= MAX_COLUMNS) break;
    while (cells.length < column) cells.push('');
    cells[column] = cellText(/\bt="(\w+)"/.exec(attributes)?.[1], inner, strings);
  }
  return cells;
}

function cellText(type: string | undefined, inner: string, strings: readonly string[]): string {
  if (type === 'inlineStr') return textIn(inner);
  const value = unescaped(/<v\b[^>]*>(.*?)<\/v>/s.exec(inner)?.[1] ?? '');
  return type === 's' ? (strings[Number(value)] ?? '') : value;
}

function columnOf(letters: string | undefined, otherwise: number): number {
  if (letters === undefined) return otherwise;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function textIn(xml: string): string {
  const texts = [...xml.matchAll(/<t\b[^>]*>(.*?)<\/t>/gs)];
  return unescaped(texts.map(([, text = '']) => text).join(''));
}

const NAMED: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
};

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : '';
  });
}
