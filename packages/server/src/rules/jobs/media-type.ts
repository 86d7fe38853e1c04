const UNKNOWN = 'application/octet-stream';
const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** What an institution calls the contents of a file, as far as a header can say it. */
export function mediaType(said: string): string {
  const [type = ''] = said.split(';', 1);
  if (!TYPE.test(type.trim())) return UNKNOWN;
  return PRINTABLE.test(said) ? said.trim() : type.trim();
}
