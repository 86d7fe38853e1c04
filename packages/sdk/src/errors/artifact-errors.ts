import { inTermsOf, type NextStep, type NextStepTerms } from '@changgu/contract';
import { ChangguError } from './changgu-error.ts';
import { DOWNLOAD_AGAIN, RUN_AGAIN_FOR_FILE } from './local-steps.ts';

/** The file is past its retention, deleted, or has no URL. */
export class ArtifactUnavailableError extends ChangguError {
  override readonly name = 'ArtifactUnavailableError';
  override readonly code = 'ARTIFACT_UNAVAILABLE';

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(RUN_AGAIN_FOR_FILE, terms);
  }
}

/** The bytes received are not the bytes promised: other length or other SHA-256. */
export class ArtifactCorruptError extends ChangguError {
  override readonly name = 'ArtifactCorruptError';
  override readonly code = 'ARTIFACT_CORRUPT';

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(DOWNLOAD_AGAIN, terms);
  }
}
