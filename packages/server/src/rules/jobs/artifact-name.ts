import { kstDay } from '../kst.ts';

/** Path separators, what Windows forbids, and control characters. */
const UNSAFE = /[\p{Cc}\p{Cf}/\\:*?"<>|]/gu;
/** File systems allow 255 bytes per name; a Hangul syllable takes three. Parts may be an institution's text. */
const MAX_SIGNS = 32;

/** `{task}_{YYYYMMDD in Korea}[_{qualifier}].{extension}`. */
export function artifactName(
  file: {
    readonly task: string;
    readonly qualifier?: string | undefined;
    readonly extension: string;
  },
  now: number,
): string {
  const date = kstDay(now).replaceAll('-', '');
  const parts = [file.task, date, file.qualifier ?? ''].map(safe).filter((part) => part !== '');
  return `${parts.join('_')}.${safe(file.extension) || 'bin'}`;
}

function safe(part: string): string {
  const signs = Array.from(part.replace(UNSAFE, '').trim().replace(/\s+/g, '_'));
  return signs.slice(0, MAX_SIGNS).join('');
}
