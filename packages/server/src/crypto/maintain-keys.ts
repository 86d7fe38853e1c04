import type { KeyRing } from './key-ring.ts';
import type { MasterKeySource } from './master-key.ts';

interface Keys {
  readonly masterKeys: Pick<MasterKeySource, 'reload'>;
  readonly encryptionRing: Pick<KeyRing, 'maintain'>;
  readonly signingRing: Pick<KeyRing, 'maintain'>;
}

/**
 * Rotates the rings when it is time, and forgets master keys that are no longer in the file: a
 * dropped one must not go on opening downloads.
 */
export async function maintainKeys({ masterKeys, encryptionRing, signingRing }: Keys) {
  await Promise.all([masterKeys.reload(), encryptionRing.maintain(), signingRing.maintain()]);
}
