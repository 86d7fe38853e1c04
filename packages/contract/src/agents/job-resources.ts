import type { Language } from '../language.ts';

/** The address of a job or one of its files for agents, the same on the bridge and on POST /mcp. */
export interface JobResource {
  readonly jobId: string;
  /** The file's number in the result, from 1; null for the job itself. */
  readonly file: number | null;
}

const ADDRESS = /^changgu:\/\/jobs\/(\w{1,64})(?:\/files\/([1-9]\d{0,3}))?$/;

/** What an address refers to; null for any other address. */
export function jobResourceOf(uri: string): JobResource | null {
  const [, jobId, file] = ADDRESS.exec(uri) ?? [];
  return jobId === undefined ? null : { jobId, file: file === undefined ? null : Number(file) };
}

export function jobUri(jobId: string): string {
  return `changgu://jobs/${jobId}`;
}

/** @param file counted from 1, in the order of the result */
export function jobFileUri(jobId: string, file: number): string {
  return `${jobUri(jobId)}/files/${file}`;
}

/** A protocol message contains the whole file as base64, and clients accept 10 MB at most. */
export const MAX_RESOURCE_BYTES = 5 * 1024 * 1024;

const TEXTS = {
  job: {
    name: 'job',
    title: { ko: '작업', en: 'Job' },
    description: {
      ko: '작업의 상태와 결과를 읽습니다. 구독하면 상태가 바뀔 때마다 알려 줍니다.',
      en: 'Reads the state and the result of a job. Subscribe to be told of every change.',
    },
  },
  file: {
    name: 'job-file',
    title: { ko: '작업 결과 파일', en: 'File of a job' },
    description: {
      ko: '작업 결과에 포함된 파일을 읽습니다. 7일 동안 보관됩니다.',
      en: 'Reads a file of the result of a job. Files are kept for 7 days.',
    },
  },
} as const;

/** The addresses as RFC 6570 templates, for `resources/templates/list`. */
export function jobResourceTemplates(language: Language) {
  const { job, file } = TEXTS;
  return [
    {
      name: job.name,
      title: job.title[language],
      description: job.description[language],
      uriTemplate: 'changgu://jobs/{job_id}',
      mimeType: 'application/json',
    },
    {
      name: file.name,
      title: file.title[language],
      description: file.description[language],
      uriTemplate: 'changgu://jobs/{job_id}/files/{number}',
    },
  ];
}
