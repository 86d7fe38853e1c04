import { ServiceError } from '../service-error.ts';

export const REGISTRATION = ['open', 'invite', 'off'] as const;

/** Who may open a new account at this server: anyone, those who are invited, or no one. */
export type Registration = (typeof REGISTRATION)[number];

/** Where each setting lets a new account come from. */
const OPEN_TO: Readonly<Record<Registration, readonly ('stranger' | 'invited')[]>> = {
  open: ['stranger', 'invited'],
  invite: ['invited'],
  off: [],
};

/**
 * Asked before every new account; who has one already may accept an invitation anywhere.
 * @throws ServiceError REGISTRATION_CLOSED
 */
export function assertRegistrationOpen(
  registration: Registration,
  newcomer: 'stranger' | 'invited',
): void {
  if (!OPEN_TO[registration].includes(newcomer)) throw new ServiceError('REGISTRATION_CLOSED');
}
