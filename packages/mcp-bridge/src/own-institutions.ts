import { type Changgu, isChangguError } from '@changgu/sdk';
import type { CatalogueInstitution } from '@changgu/sdk/catalogue';
import type { Log } from './log.ts';

/** An unresponsive service must not delay a host's start. */
const LIMIT_MS = 3_000;

/** The service's custom institutions; null without an answer, because the built-in ones are in the package. */
export async function readOwnInstitutions(
  client: Changgu,
  log: Log,
): Promise<readonly CatalogueInstitution[] | null> {
  try {
    return await client.ownInstitutions({ totalTimeoutMs: LIMIT_MS });
  } catch (error) {
    if (!isChangguError(error)) throw error;
    log.warn('own institutions could not be read', { code: error.code });
    return null;
  }
}
