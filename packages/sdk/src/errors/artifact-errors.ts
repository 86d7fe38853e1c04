import { inTermsOf, type NextStep, type NextStepTerms, nextStepOf } from '@changgu/contract';
import { ChangguError } from './changgu-error.ts';
import { CHECK_PLACE, DOWNLOAD_AGAIN } from './local-steps.ts';

/** The file has expired, was deleted, or has no URL. */
export class ArtifactUnavailableError extends ChangguError {
  override readonly name = 'ArtifactUnavailableError';
  override readonly code = 'ARTIFACT_UNAVAILABLE';

  override nextStepIn(terms: NextStepTerms): NextStep {
    return nextStepOf({ code: 'ARTIFACT_EXPIRED', retryable: false }, terms);
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

/** The file could not be written on this machine: a missing directory, no permission, a full disk. */
export class ArtifactNotSavedError extends ChangguError {
  override readonly name = 'ArtifactNotSavedError';
  override readonly code = 'ARTIFACT_NOT_SAVED';
  /** Where it should have been saved. */
  readonly path: string;
  /** Code of the operating system, e.g. `ENOSPC`. */
  readonly systemCode: string;

  constructor(path: string, systemCode: string, cause: unknown) {
    super(`The file could not be saved as ${path} (${systemCode}).`, { cause });
    this.path = path;
    this.systemCode = systemCode;
  }

  override nextStepIn(terms: NextStepTerms): NextStep {
    return inTermsOf(CHECK_PLACE, terms);
  }
}
