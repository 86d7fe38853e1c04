import { ServiceError } from '../service-error.ts';

export const REGISTRATION = ['open', 'invite', 'off'] as const;

/** Who may register at this server. */
export type Registration = (typeof REGISTRATION)[number];

/**
 * Accepting an invitation is a separate operation, so only an open server lets strangers register.
 * @throws ServiceError REGISTRATION_CLOSED
 */
export function assertRegistrationOpen(registration: Registration): void {
  if (registration !== 'open') throw new ServiceError('REGISTRATION_CLOSED');
}
