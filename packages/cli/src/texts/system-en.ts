import type { Texts } from './ko.ts';

/** The same in English. */
export const systemEn: Texts['system'] = {
  output: (why) => `Can't write the output (${why}).`,
  file: (path, why) => `Can't use the file: ${path} (${why})`,
  unnamed: (why) => `Can't use a file (${why}).`,
  whys: {
    ENOSPC: 'no space left',
    EDQUOT: 'quota exceeded',
    EFBIG: 'file too large',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'read-only file system',
    EISDIR: 'it is a directory',
    ENOTDIR: 'part of the path is not a directory',
    ENOENT: 'not found',
    ELOOP: 'symbolic links lead in a circle',
    ENAMETOOLONG: 'name too long',
    EIO: 'device error',
    DANGLING: 'the symbolic link leads nowhere',
    NOT_UTF8: 'not saved as UTF-8',
    NOT_JSON: 'damaged',
  },
};
