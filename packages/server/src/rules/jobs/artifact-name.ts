import { kstDay } from '../kst.ts';

/** Path separators, what Windows forbids, and control characters. */
const UNSAFE = /[\p{Cc}\p{Cf}/\\:*?"<>|]/gu;
/** File systems allow 255 bytes per name; a Hangul syllable takes three. Parts may be an institution's text. */
const MAX_SIGNS = 32;

/** What a connector says of a file, as far as its name depends on it. */
export interface Nameable {
  readonly qualifier?: string | undefined;
  readonly extension: string;
}

/**
 * The files of a job, each with its name: `{task}_{YYYYMMDD in Korea}[_{qualifier}].{extension}`. A name that is taken
 * gets a number, as in `…_2.pdf`, so that whoever saves them in one folder keeps them all.
 */
export function withNames<File extends Nameable>(
  task: string,
  files: readonly File[],
  now: number,
): (File & { readonly name: string })[] {
  const date = kstDay(now).replaceAll('-', '');
  const taken = new Set<string>();
  return files.map((file) => {
    const { qualifier = '', extension } = file;
    const parts = [task, date, qualifier].map(safe).filter((part) => part !== '');
    const kind = safe(extension) || 'bin';
    for (let number = 1; ; number += 1) {
      const name = `${[...parts, ...(number > 1 ? [number] : [])].join('_')}.${kind}`;
      const onDisk = asOnDisk(name);
      if (taken.has(onDisk)) continue;
      taken.add(onDisk);
      return { ...file, name };
    }
  });
}

function safe(part: string): string {
  const signs = Array.from(part.replace(UNSAFE, '').trim().replace(/\s+/g, '_'));
  return signs.slice(0, MAX_SIGNS).join('');
}

/** Windows and macOS take names for one that differ in case or in the composition of their letters only. */
function asOnDisk(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
