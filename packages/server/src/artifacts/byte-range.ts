import parseRange from 'range-parser';
import type { ByteRange } from '../crypto/sealed-chunks.ts';

/**
 * The range that a Range header asks for. Null means the whole file: no header, a malformed one, several
 * ranges, or another version (If-Range). `unsatisfiable` means that the range lies outside the file.
 */
export function requestedRange(
  size: number,
  etag: string,
  headers: { readonly range?: string | undefined; readonly ifRange?: string | undefined },
): ByteRange | null | 'unsatisfiable' {
  if (headers.range === undefined) return null;
  if (headers.ifRange !== undefined && headers.ifRange !== etag) return null;
  const ranges = parseRange(size, headers.range);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  const [range] = ranges;
  return range ? { start: range.start, end: range.end + 1 } : null;
}
