import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { Vault } from '../crypto/vault.ts';
import type { JsonObject } from '../institutions/connector.ts';
import type { ClaimedJob } from '../store/queue/claims.ts';
import { resultPlace } from '../store/schema/sealed-places.ts';

/** Up to this number, the rows of a complete spreadsheet are also in `result.data`. */
const MAX_INLINE_ROWS = 1_000;

/** Seals the JSON of `result.data`. */
export function sealResult(
  vault: Pick<Vault, 'seal'>,
  job: Pick<ClaimedJob, 'id' | 'organizationId'>,
  json: string,
): Promise<Uint8Array> {
  return vault.seal(String(job.organizationId), resultPlace(job.id), Buffer.from(json));
}

/** Whether the file alone is the result. Of a part never: `next` is in the data alone. */
export function isFileOnly(
  action: Pick<CatalogueAction, 'file'>,
  data: JsonObject | null,
  files: number,
): boolean {
  if (action.file?.format !== 'xlsx' || files !== 1) return false;
  if (data === null) return true;
  const isPart = (data.next ?? null) !== null;
  return !isPart && rowCount(data) > MAX_INLINE_ROWS;
}

function rowCount(data: JsonObject): number {
  if (typeof data.row_count === 'number') return data.row_count;
  return Array.isArray(data.items) ? data.items.length : 0;
}
