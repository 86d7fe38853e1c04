import { inTermsOf, type NextStep, type NextStepTerms } from '@changgu/contract';
import { ChangguError } from './changgu-error.ts';
import { DOWNLOAD_AGAIN, RUN_AGAIN_FOR_FILE } from './local-steps.ts';

/** The file has expired, was deleted, or has no URL. */
export class ArtifactUnavailableError extends ChangguError {
  override readonly name = 'ArtifactUnavailableError';
  override readonly code = 'ARTIFACT_UNAVAILABLE';

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(RUN_AGAIN_FOR_FILE, terms);
  }
}

/** The received bytes differ from those announced, in length or SHA-256. */
export class ArtifactCorruptError extends ChangguError {
  override readonly name = 'ArtifactCorruptError';
  override readonly code = 'ARTIFACT_CORRUPT';

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(DOWNLOAD_AGAIN, terms);
  }
}
