import { ConnectionError } from '../errors/transport-errors.ts';
import { redactText } from './redaction.ts';

/** The request cannot have reached the service. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SOCKET_CONNECTION_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);

/** The handshake failed: nothing was sent, and a retry cannot help. Other TLS errors may occur after the request. */
const UNTRUSTED =
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_(WRONG_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|.*ALERT_PROTOCOL_VERSION|.*HANDSHAKE_FAILURE))/;

/** A transport's error as one typed error. The original becomes `cause`; the message quotes it redacted. */
export function connectionFailure(thrown: unknown): ConnectionError {
  const systemCode = findCode(thrown);
  const untrusted = UNTRUSTED.test(systemCode ?? '');
  const neverSent = untrusted || NEVER_SENT.has(systemCode ?? '');
  const detail = systemCode ?? (thrown instanceof Error ? redactText(thrown.message) : 'unknown');
  return new ConnectionError(`The connection failed: ${detail}.`, {
    neverSent,
    systemCode,
    retryable: !untrusted,
    cause: thrown,
  });
}

/** fetch nests the reason some causes deep; the innermost code is the most specific. */
function findCode(thrown: unknown): string | null {
  let code: string | null = null;
  for (
    let error = thrown, depth = 0;
    error instanceof Error && depth < 5;
    error = error.cause, depth++
  ) {
    const own: unknown = Reflect.get(error, 'code');
    if (typeof own === 'string') code = own;
  }
  return code;
}
