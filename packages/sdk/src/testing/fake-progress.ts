/** What the service says of a job before its connector has said anything. */
export const FAKE_PROGRESS = {
  QUEUED: { ko: '작업 순서를 기다리고 있습니다', en: 'Waiting for its turn' },
  RUNNING: { ko: '작업을 시작하고 있습니다', en: 'Starting the job' },
} as const;
