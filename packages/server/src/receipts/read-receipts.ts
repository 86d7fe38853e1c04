import { LIMITS } from '@changgu/contract';
import type {
  Receipt,
  ReceiptJwks,
  ReceiptListResponse,
  ReceiptStatement,
} from '@changgu/contract/schemas';
import type { KeyRing } from '../crypto/key-ring.ts';
import { readJob } from '../jobs/read.ts';
import type { JobAccess } from '../rules/jobs/job-access.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import type { SignedReceipt } from '../store/receipts/receipt-scripts.ts';
import type { SignReceipts } from './signer.ts';

export interface ReceiptDependencies {
  readonly store: Pick<Store, 'receipts' | 'jobs'>;
  readonly sign: SignReceipts;
  readonly ring: Pick<KeyRing, 'keys'>;
}

type ReceiptSource = {
  readonly store: Pick<Store, 'receipts'>;
  readonly sign: SignReceipts;
};

/**
 * GET /v1/jobs/{job_id}/receipt.
 * @throws ServiceError JOB_NOT_FOUND; RECEIPT_NOT_FOUND
 */
export async function readReceipt(
  dependencies: ReceiptDependencies,
  access: JobAccess,
  jobId: string,
): Promise<Receipt> {
  const signed = await findReceipt(dependencies, access, jobId);
  if (signed !== null) return receiptView(signed);
  await readJob(dependencies.store, access, jobId);
  throw new ServiceError('RECEIPT_NOT_FOUND');
}

/** The receipt of a job, signed now if necessary; null when there is none. */
export async function findReceipt(
  { store, sign }: ReceiptSource,
  access: JobAccess,
  jobId: string,
): Promise<SignedReceipt | null> {
  const found = await store.receipts.find({ access, jobId });
  if (found === null || found.signed !== null) return found?.signed ?? null;
  const { organizationId, envScope } = access;
  await sign({ organizationId, envScope });
  return (await store.receipts.find({ access, jobId }))?.signed ?? null;
}

/** GET /v1/receipts. The cursor is the number of the last receipt shown. */
export async function listReceipts(
  { store, sign }: ReceiptDependencies,
  access: JobAccess,
  { limit = LIMITS.page.default, cursor = '0' }: { limit?: number; cursor?: string },
): Promise<ReceiptListResponse> {
  const { organizationId, envScope } = access;
  await sign({ organizationId, envScope });
  const { receipts, next } = await store.receipts.list({ access, after: Number(cursor), limit });
  return { items: receipts.map(receiptView), next_cursor: next === null ? null : String(next) };
}

/** GET /v1/receipts/keys: the current key first, then all earlier ones. */
export async function receiptJwks({ store, ring }: ReceiptDependencies): Promise<ReceiptJwks> {
  const [[current], published] = await Promise.all([ring.keys(), store.receipts.keys()]);
  const known = new Map<string, string>();
  if (current) known.set(current.kid, current.publicKey.export({ format: 'jwk' }).x ?? '');
  for (const { kid, x } of published) known.set(kid, x);
  return {
    keys: [...known].map(([kid, x]) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x,
      kid,
      use: 'sig',
      alg: 'EdDSA',
    })),
  };
}

function receiptView({ jobId, number, jws }: SignedReceipt): Receipt {
  return { job_id: jobId, number, receipt: jws, statement: statementIn(jws) };
}

function statementIn(jws: string): ReceiptStatement {
  const [, payload = ''] = jws.split('.');
  // Signed by this service as JSON of exactly this shape.
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as ReceiptStatement;
}
