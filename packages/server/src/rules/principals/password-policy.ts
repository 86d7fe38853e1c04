import { ServiceError } from '../service-error.ts';

const MIN_LENGTH = 10;

/** @throws ServiceError PASSWORD_POLICY: at least ten characters, and different from the email address. */
export function assertPasswordPolicy(password: string, email: string): void {
  const characters = Array.from(password.normalize('NFKC')).length;
  if (characters < MIN_LENGTH || password.toLowerCase() === email.toLowerCase()) {
    throw new ServiceError('PASSWORD_POLICY');
  }
}
