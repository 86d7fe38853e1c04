import type { EnvScope } from '@changgu/contract';
import type { Generated } from 'kysely';

export interface ReceiptTables {
  /** One for each job that ended past its point of no return; written when the job ends, signed afterwards. */
  receipts: {
    seq: Generated<number>;
    job_id: string;
    organization_id: number;
    env_scope: EnvScope;
    submitted_by: string;
    action: string;
    /** JSON of its content, without its position in the chain. */
    facts: string;
    /** Its position in the chain of its organization and environment; null until it is signed. */
    number: number | null;
    /** The compact JWS, and its SHA-256. */
    jws: string | null;
    hash: string | null;
  };
  /** Public halves of all keys that ever signed a receipt. Times are real. */
  receipt_keys: {
    kid: string;
    /** base64url */
    x: string;
    created_at: number;
  };
}
