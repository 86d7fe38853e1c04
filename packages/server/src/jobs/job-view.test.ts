import { ERRORS } from '@changgu/contract/errors';
import { expect, it } from 'vitest';
import { jobError } from '../rules/endings/endings.ts';
import { UNDECLARED_FIELD } from '../rules/jobs/own-sentences.ts';
import { wrongPurpose } from '../rules/links/link-purpose.ts';
import { wrongOwner } from '../rules/links/owner-kind.ts';
import { inLanguage } from './job-view.ts';

const failedWith = (message?: string) => ({
  progress_message: null,
  error: jobError({ code: 'PROVIDER_VALIDATION_ERROR', irreversible: false, message }),
});

it.each([
  [undefined, ERRORS.PROVIDER_VALIDATION_ERROR.en],
  [UNDECLARED_FIELD.ko, UNDECLARED_FIELD.en],
  [wrongPurpose('test').ko, wrongPurpose('test').en],
  [wrongOwner('business').ko, wrongOwner('business').en],
  ['기관이 쓴 문장입니다.', '기관이 쓴 문장입니다.'],
])(
  'says in English what the service itself said, and leaves what an institution said: %s (D56)',
  (said, shown) => {
    const job = failedWith(said);
    expect(inLanguage(job, 'en').error?.message).toBe(shown);
    expect(inLanguage(job, 'ko')).toEqual(job);
  },
);
