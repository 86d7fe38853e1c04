import { inTermsOf, type NextStep, type NextStepTerms } from '@changgu/contract';
import { ChangguError } from './changgu-error.ts';
import { ENCRYPT_OTHER_VALUE, RESUME_WITH_OWN_CLIENT } from './local-steps.ts';

/** A value could not be encrypted: no usable key, or too long for the service. Never contains the value. */
export class EncryptionError extends ChangguError {
  override readonly name = 'EncryptionError';
  override readonly code = 'ENCRYPTION_FAILED';

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(ENCRYPT_OTHER_VALUE, terms);
  }
}

/** A stored handle, prepared submission or checkpoint belongs to another client or has an unknown version. */
export class TokenError extends ChangguError {
  override readonly name = 'TokenError';
  override readonly code = 'TOKEN_INVALID';

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(RESUME_WITH_OWN_CLIENT, terms);
  }
}
