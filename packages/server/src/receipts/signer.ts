import { CompactSign } from 'jose';
import type { KeyRing, RotationPolicy } from '../crypto/key-ring.ts';
import { DAY_MS } from '../rules/durations.ts';
import {
  type ReceiptHead,
  type ReceiptScope,
  receiptHash,
  receiptStatement,
} from '../rules/receipts/statement.ts';
import type { Store } from '../store/database.ts';
import type { SignedReceipt, UnsignedBatch } from '../store/receipts/receipt-scripts.ts';

/** A retired key never signs again, so its private half is destroyed at once. Its public half stays in the store. */
export const RECEIPT_KEY_POLICY: RotationPolicy = { currentMs: 365 * DAY_MS, previousMs: 0 };

/** Signs pending receipts, in one chain or in all, until there are none or it is stopped. */
export type SignReceipts = (scope?: ReceiptScope, stop?: AbortSignal) => Promise<void>;

/**
 * Signs and chains the receipts of ended jobs. Any process does it for all, and a request for a pending receipt
 * triggers it at once. Ed25519 is deterministic, so the signature is the same whichever process signs.
 */
export function createReceiptSigner(
  { receipts }: Pick<Store, 'receipts'>,
  ring: Pick<KeyRing, 'keys'>,
): SignReceipts {
  return async (scope, stop) => {
    while (!stop?.aborted) {
      const batch = await receipts.unsigned(scope ?? null);
      if (batch === null) return;
      const [key] = await ring.keys();
      if (key === undefined) throw new Error('the ring of receipt keys is empty');
      const { x = '' } = key.publicKey.export({ format: 'jwk' });
      // If another process was faster, the next round finds what is left.
      await receipts.append({
        scope: batch.scope,
        head: batch.head,
        key: { kid: key.kid, x, createdAt: key.createdAt },
        receipts: await signChain(batch, key),
      });
    }
  };
}

type SigningKey = Awaited<ReturnType<KeyRing['keys']>>[number];

async function signChain(
  { head, receipts }: UnsignedBatch,
  { kid, privateKey }: SigningKey,
): Promise<SignedReceipt[]> {
  const signed: SignedReceipt[] = [];
  let last: ReceiptHead = head;
  for (const { jobId, facts } of receipts) {
    const statement = receiptStatement(facts, last);
    const jws = await new CompactSign(Buffer.from(JSON.stringify(statement)))
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'changgu-receipt' })
      .sign(privateKey);
    last = { number: statement.number, hash: receiptHash(jws) };
    signed.push({ jobId, jws, number: statement.number, hash: receiptHash(jws) });
  }
  return signed;
}
