import { type AnyChangguError, ApiError } from '@changgu/sdk';
import { whyOf } from '../file-error.ts';
import type { Texts } from '../texts/ko.ts';

/** The caller of the failed call, as far as it is known. */
export interface Whereabouts {
  readonly baseUrl: string | null;
  /** Name of the environment variable that sends requests through a proxy. */
  readonly proxyVariable: string | null;
  /** --timeout, of which a request in the middle of a command gets only what is left. */
  readonly timeoutMs: number | null;
}

export interface Words {
  readonly message: string;
  /** The next step. */
  readonly hints: readonly string[];
}

/**
 * The SDK's own errors in the language of the run, because it speaks English. Null for the service's errors, which
 * already are in that language.
 */
export function sdkFailure(
  error: AnyChangguError,
  { failures, jobs, system }: Texts,
  { baseUrl, proxyVariable, timeoutMs }: Whereabouts,
): Words | null {
  const where = baseUrl ?? failures.service;
  const proxy = proxyVariable === null ? [] : [failures.proxy(proxyVariable)];
  const look = [...proxy, failures.checkAddress, 'changgu doctor'];
  if (error instanceof ApiError) {
    // Anything else on the way wrote it.
    const isForeign = error.code === 'HTTP_ERROR';
    return isForeign ? { message: failures.notUnderstood(where, error.status), hints: look } : null;
  }
  switch (error.name) {
    case 'ConnectionError':
      return { message: connection(error.systemCode, where, failures), hints: look };
    case 'TimeoutError':
      return error.clock === 'total'
        ? { message: failures.outOfTime(timeoutMs ?? error.limitMs), hints: ['--timeout 10m'] }
        : { message: failures.silent(where), hints: look };
    case 'RedirectRefusedError':
      return { message: failures.redirect(where, error.status), hints: look };
    case 'InvalidResponseError':
      // What of it is wrong is for whoever runs the service.
      return {
        message: failures.notUnderstood(where, error.status),
        hints: [error.message, ...look],
      };
    case 'WaitTimeoutError':
      return { message: jobs.waitTimedOut(error.resumeToken.jobId), hints: [] };
    case 'ConfigurationError':
      return { message: failures.notUsable(error.message), hints: [] };
    case 'TokenError':
      return { message: failures.otherClient, hints: ['changgu whoami'] };
    case 'EncryptionError':
      return { message: failures.notEncrypted(error.message), hints: [] };
    case 'ArtifactUnavailableError':
      return { message: failures.fileGone, hints: [] };
    case 'ArtifactCorruptError':
      return { message: failures.fileDamaged, hints: [] };
    case 'ArtifactNotSavedError':
      return { message: system.file(error.path, whyOf(error.systemCode, system)), hints: [] };
    default:
      return null;
  }
}

function connection(code: string | null, where: string, failures: Texts['failures']): string {
  switch (code) {
    case 'ECONNREFUSED':
      return failures.refused(where);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failures.unknownHost(where);
    case 'ETIMEDOUT':
    case 'ERR_SOCKET_CONNECTION_TIMEOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return failures.silent(where);
    default:
      return /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/.test(
        code ?? '',
      )
        ? failures.untrusted(where, code ?? '')
        : failures.broken(where, code ?? '?');
  }
}
