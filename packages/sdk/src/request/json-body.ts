import { InvalidResponseError } from '../errors/transport-errors.ts';
import type { HttpResponse } from './http.ts';

/** Parses a 2xx body strictly: a truncated or foreign body is an error, never a string or a partial object. */
export function parseJsonBody(response: HttpResponse): unknown {
  const type = response.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) {
    throw new InvalidResponseError(response.status, 'it is not JSON', { retryable: true });
  }
  try {
    return JSON.parse(response.body);
  } catch (error) {
    throw new InvalidResponseError(response.status, 'the JSON is broken or truncated', {
      retryable: true,
      cause: error,
    });
  }
}
