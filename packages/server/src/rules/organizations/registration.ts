import type { Registration } from '@changgu/contract';
import { ServiceError } from '../service-error.ts';

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
