import { ChangguError } from './changgu-error.ts';

/** A value could not be encrypted: no usable key, or longer than the service takes. Never holds the value. */
export class EncryptionError extends ChangguError {
  override readonly name = 'EncryptionError';
  override readonly code = 'ENCRYPTION_FAILED';
}

/** A stored handle, prepared submission or checkpoint is not of this client, or is of an unknown version. */
export class TokenError extends ChangguError {
  override readonly name = 'TokenError';
  override readonly code = 'TOKEN_INVALID';
}
