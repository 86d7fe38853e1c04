/** Why a certificate and its key cannot be used. */
export type CertificateFailure =
  | 'MALFORMED'
  | 'WRONG_PASSWORD'
  | 'KEY_MISMATCH'
  | 'EXPIRED'
  | 'NOT_YET_VALID';

/** Says what is wrong without quoting any input. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly failure: CertificateFailure;

  constructor(failure: CertificateFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

export function malformed(what: string): CertificateError {
  return new CertificateError('MALFORMED', `${what} is malformed`);
}

export function wrongPassword(): CertificateError {
  return new CertificateError('WRONG_PASSWORD', 'the password does not open the key');
}
