import {
  inTermsOf,
  type NextStep,
  type NextStepTerms,
  nextStep,
  nextStepOf,
} from '@changgu/contract';
import type { ChangguError } from './changgu-error.ts';

/**
 * The step, unless a repeat could act twice: a call that was perhaps done, and not made again, has no key. What it did
 * can only be seen in what it was to change. An answer that cannot be read may be the one of its success.
 */
export function stepAfter(error: ChangguError, step: NextStep, terms: NextStepTerms): NextStep {
  const wasPerhapsDone =
    error.retryable || (error.code === 'RESPONSE_INVALID' && error.idempotencyKey === null);
  return wasPerhapsDone && error.retryStop === 'not-retryable'
    ? nextStepOf({ code: 'CONFLICT_STATE', retryable: false }, terms)
    : inTermsOf(step, terms);
}

/** Next steps for errors of the client side; those of the service are in the contract. */
export const CORRECT_SETTING = nextStep(
  'fix_input',
  '메시지에 나온 값을 고치십시오.',
  'Correct the value that the message names.',
);

export const CHECK_CONNECTION = nextStep(
  'wait_and_retry',
  '서비스의 주소와 네트워크를 확인한 뒤 같은 {key}로 다시 호출하십시오. 두 번 제출되지 않습니다.',
  'Check the address of the service and the network. Repeat the call with the same {key}. It is not submitted twice.',
);

export const REPEAT_CALL = nextStep(
  'wait_and_retry',
  '같은 {key}로 다시 호출하십시오. 두 번 제출되지 않습니다.',
  'Repeat the call with the same {key}. It is not submitted twice.',
);

export const CALL_AGAIN_IF_WANTED = nextStep(
  'new_key',
  '여전히 필요하면 다시 호출하십시오.',
  'Call again if it is still wanted.',
);

export const CHECK_ADDRESS = nextStep(
  'fix_input',
  '서비스의 주소를 확인하십시오.',
  'Check the address of the service.',
);

export const WAIT_AGAIN = nextStep(
  'check_jobs',
  'resumeToken으로 작업을 다시 기다리십시오.',
  'Wait for the job again with the resumeToken.',
);

export const RESUME_CHECKPOINT = nextStep(
  'check_jobs',
  '작업은 계속 진행됩니다. checkpoint로 이어서 실행하십시오.',
  'The jobs are still running. Resume from the checkpoint.',
);

export const ENCRYPT_OTHER_VALUE = nextStep(
  'fix_input',
  '값의 길이와 서비스의 공개키를 확인하십시오.',
  'Check the length of the value and the public key of the service.',
);

export const RESUME_WITH_OWN_CLIENT = nextStep(
  'restart',
  '토큰을 만든 클라이언트로 이어서 진행하거나 다시 제출하십시오.',
  'Resume it with the client that made it, or submit again.',
);

export const READ_JOB = nextStep(
  'check_jobs',
  '작업을 조회하여 상태를 확인하십시오.',
  'Read the job to see how it ended.',
);

export const DOWNLOAD_AGAIN = nextStep(
  'wait_and_retry',
  '파일을 다시 내려받으십시오.',
  'Download the file again.',
);

/** Pure: bundles for workers, which save no files, leave it out. */
export const CHECK_PLACE = /* @__PURE__ */ nextStep(
  'fix_input',
  '저장할 위치와 남은 공간을 확인한 뒤 다시 내려받으십시오.',
  'Check the path and the free space, then download the file again.',
);
