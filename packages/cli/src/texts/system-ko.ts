/** What the operating system says of files and outputs. */
export const systemKo = {
  output: (why: string) => `출력을 쓸 수 없습니다(${why}).`,
  file: (path: string, why: string) => `파일을 사용할 수 없습니다: ${path} (${why})`,
  unnamed: (why: string) => `파일을 사용할 수 없습니다(${why}).`,
  whys: {
    ENOSPC: '남은 공간이 없습니다',
    EDQUOT: '사용할 수 있는 공간을 초과했습니다',
    EFBIG: '파일이 너무 큽니다',
    EACCES: '권한이 없습니다',
    EPERM: '권한이 없습니다',
    EROFS: '읽기 전용입니다',
    EISDIR: '파일이 아니라 디렉터리입니다',
    ENOTDIR: '경로에 디렉터리가 아닌 것이 있습니다',
    ENOENT: '찾을 수 없습니다',
    ELOOP: '심볼릭 링크가 서로를 가리킵니다',
    ENAMETOOLONG: '이름이 너무 깁니다',
    EIO: '장치에 오류가 있습니다',
    DANGLING: '심볼릭 링크가 가리키는 파일이 없습니다',
    NOT_UTF8: 'UTF-8로 저장된 파일이 아닙니다',
    NOT_JSON: '손상되었습니다',
  },
};
