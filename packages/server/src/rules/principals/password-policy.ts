import { ServiceError } from '../service-error.ts';

const MIN_LENGTH = 10;

/** @throws ServiceError PASSWORD_POLICY: at least ten characters, and not the e-mail address (D88). */
export function assertPasswordPolicy(password: string, email: string): void {
  const characters = Array.from(password.normalize('NFKC')).length;
  if (characters < MIN_LENGTH || password.toLowerCase() === email.toLowerCase()) {
    throw new ServiceError('PASSWORD_POLICY');
  }
}
