import { separately, untilDone } from '../../failures/separately.ts';
import { ENCRYPTION_KEY_POLICY } from '../encryption-keys.ts';
import type { KeyRing } from '../key-ring.ts';
import type { MasterKeySource } from '../master-keys/master-key.ts';

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
    readonly boundCiphertexts: { purge(): Promise<boolean> };
  };
  readonly clock: { realNow(): number };
}

/**
 * Rotates keys when they are due, and drops master keys that are no longer in the file, because a removed key
 * must not authorize downloads any longer.
 * @throws PartsFailed when all the rest is done
 */
export async function maintainKeys(keys: Keys, stop?: AbortSignal): Promise<void> {
  const { masterKeys, signingRing, receiptRing, encryptionKeys, store, clock } = keys;
  const now = clock.realNow();
  const times = {
    now,
    retireMadeBefore: now - ENCRYPTION_KEY_POLICY.currentMs,
    destroyRetiredBefore: now - ENCRYPTION_KEY_POLICY.previousMs,
  };
  await separately(async (doPart) => {
    await Promise.all([
      doPart('master keys', () => masterKeys.reload()),
      doPart('signing keys', () => signingRing.maintain()),
      doPart('receipt keys', () => receiptRing.maintain()),
      doPart('bound ciphertexts', () => untilDone(() => store.boundCiphertexts.purge(), stop)),
      doPart('encryption keys', () => store.ringKeys.expireEncryption(times)),
    ]);
    encryptionKeys.forget();
  });
}
