import type { May } from '@changgu/contract';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../rules/service-error.ts';
import type { Gate } from '../gate.ts';

/** Right after the caller was admitted: most bodies have arrived with their headers by then. */
export function noteLateBody({ call, raw }: FastifyRequest): void {
  call.bodyIsLate = call.principal !== null && !raw.complete;
}

/**
 * A body may follow its headers a minute later, and the caller's key may have been revoked meanwhile.
 * @throws ServiceError AUTH_INVALID_CREDENTIALS
 */
export async function readmitLate(gate: Gate, request: FastifyRequest, may: May): Promise<void> {
  if (await gate.stillAdmits(request, may)) return;
  throw new ServiceError('AUTH_INVALID_CREDENTIALS');
}
