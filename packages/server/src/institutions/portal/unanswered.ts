import { ServiceError, type ServiceErrorDetails } from '../../rules/service-error.ts';
import { InstitutionError } from '../institution-error.ts';

/**
 * The error for a request that failed while a caller waits over HTTP, not in a job: refused, reset,
 * too slow, too large or cut off becomes an error of the service; any other error stays as it is.
 */
export function unanswered(failure: unknown, details: ServiceErrorDetails = {}): unknown {
  if (failure instanceof InstitutionError) {
    return new ServiceError(failure.code, { ...details, cause: failure });
  }
  const late = failure instanceof DOMException && failure.name === 'TimeoutError';
  if (!late) return failure;
  return new ServiceError('PROVIDER_UPSTREAM_ERROR', { ...details, cause: failure });
}
