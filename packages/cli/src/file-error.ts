import type { Texts } from './texts/ko.ts';

/** A file that could not be used: why, as the code of the operating system or one of our own. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: string;
  readonly path: string;

  constructor(path: string, code: string, cause?: unknown) {
    super(`${code}: ${path}`, { cause });
    this.code = code;
    this.path = path;
  }
}

/** Does something to a file that is open, or whose path the system's error would not name. */
export async function onFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFileError(path, error);
  }
}

/** The system's error about a file, with its name; any other error as it is. */
export function asFileError(path: string, error: unknown): unknown {
  const code = fileCodeOf(error);
  return code === null ? error : new FileError(path, code, error);
}

/** Calls of the operating system that are not about files. */
const OTHER_CALLS = /^(connect|listen|bind|accept|getaddrinfo|spawn|kill|shutdown)/;

/** The code of the operating system's error about a file; null for any other error. */
export function fileCodeOf(error: unknown): string | null {
  const { code, syscall }: { code?: unknown; syscall?: unknown } = Object(error);
  const isCall = typeof code === 'string' && typeof syscall === 'string';
  return isCall && !OTHER_CALLS.test(syscall) ? code : null;
}

/** A code in the language of the run; a code without words stands for itself. */
export function whyOf(code: string, { whys }: Texts['system']): string {
  return new Map(Object.entries(whys)).get(code) ?? code;
}
