/** Media types that models are told of. A header may have any word after its slash. */
const KNOWN: ReadonlySet<string> = new Set([
  'application/haansofthwp',
  'application/hwp+zip',
  'application/json',
  'application/msword',
  'application/octet-stream',
  'application/pdf',
  'application/vnd.hancom.hwp',
  'application/vnd.hancom.hwpx',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/x-hwp',
  'application/xml',
  'application/zip',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'text/csv',
  'text/html',
  'text/plain',
  'text/xml',
]);

const UNKNOWN = 'application/octet-stream';

export function isKnownMediaType(text: string): boolean {
  return KNOWN.has(text);
}

/** The media type of a file as a model sees it: without parameters, and only one that is well known. */
export function shownMediaType(said: string | null): string {
  const [type = ''] = (said ?? '').split(';', 1);
  const name = type.trim().toLowerCase();
  return KNOWN.has(name) ? name : UNKNOWN;
}
