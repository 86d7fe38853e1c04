const UNKNOWN = 'application/octet-stream';
const MAX_CHARACTERS = 100;
const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const CHARSET = /;\s{0,9}charset\s{0,9}=\s{0,9}"?([\w-]{1,40})(?![\w-])/i;

/**
 * What an institution calls the contents of a file, as far as a header can say it. Of the parameters only the charset
 * says how to read it: any other may be a sentence, or longer than a program takes a header.
 */
export function mediaType(said: string): string {
  const [start = ''] = said.split(';', 1);
  const type = start.trim().toLowerCase();
  if (type.length > MAX_CHARACTERS || !TYPE.test(type)) return UNKNOWN;
  const charset = CHARSET.exec(said)?.[1];
  return charset === undefined ? type : `${type}; charset=${charset}`;
}
