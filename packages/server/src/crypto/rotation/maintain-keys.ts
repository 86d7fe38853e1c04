import { ENCRYPTION_KEY_POLICY } from '../encryption-keys.ts';
import type { KeyRing } from '../key-ring.ts';
import type { MasterKeySource } from '../master-key.ts';

interface Keys {
  readonly masterKeys: Pick<MasterKeySource, 'reload'>;
  readonly signingRing: Pick<KeyRing, 'maintain'>;
  readonly receiptRing: Pick<KeyRing, 'maintain'>;
  readonly encryptionKeys: { forget(): void };
  readonly store: {
    readonly ringKeys: {
      expireEncryption(times: {
        readonly now: number;
        readonly retireMadeBefore: number;
        readonly destroyRetiredBefore: number;
      }): Promise<number>;
    };
    readonly boundCiphertexts: { purge(now: number): Promise<void> };
  };
  readonly clock: { realNow(): number };
}

/**
 * Rotates keys when they are due, and drops master keys that are no longer in the file, because a removed key
 * must not authorize downloads any longer.
 */
export async function maintainKeys(keys: Keys): Promise<void> {
  const { masterKeys, signingRing, receiptRing, encryptionKeys, store, clock } = keys;
  const now = clock.realNow();
  await Promise.all([
    masterKeys.reload(),
    signingRing.maintain(),
    receiptRing.maintain(),
    store.boundCiphertexts.purge(now),
    store.ringKeys.expireEncryption({
      now,
      retireMadeBefore: now - ENCRYPTION_KEY_POLICY.currentMs,
      destroyRetiredBefore: now - ENCRYPTION_KEY_POLICY.previousMs,
    }),
  ]);
  encryptionKeys.forget();
}
