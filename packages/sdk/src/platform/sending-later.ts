import type { SharedParts } from '../shared-parts.ts';

/** What sends is a file of its own, read by the first call. A build of one file has it at once: see `sending-at-once.ts`. */
export function loadSending(): Promise<{ readonly SharedParts: typeof SharedParts }> {
  return import('../shared-parts.ts');
}
