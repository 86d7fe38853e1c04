import { isChangguError } from '@changgu/sdk';
import type { CatalogueInstitution } from '@changgu/sdk/catalogue';
import type { Cli } from '../cli.ts';
import { createClient } from '../client.ts';
import { NO_CREDENTIALS } from '../credentials/credentials.ts';

/** Most lookups succeed without the service. */
const MAX_WAIT_MS = 3_000;

/**
 * The service's custom institutions. Null when it cannot be asked: no address is configured, or
 * it does not answer in time, which is reported as a warning.
 */
export async function readOwnInstitutions(
  cli: Cli,
): Promise<readonly CatalogueInstitution[] | null> {
  const { baseUrl, envScope } = await cli.settings();
  if (!baseUrl) return null;
  const client = createClient(cli, baseUrl.value, envScope.value, NO_CREDENTIALS);
  const totalTimeoutMs = Math.min(MAX_WAIT_MS, cli.timeoutMs ?? MAX_WAIT_MS);
  try {
    return await client.ownInstitutions({ ...cli.call, totalTimeoutMs, maxRetries: 0 });
  } catch (error) {
    if (cli.signal.aborted || !isChangguError(error)) throw error;
    await cli.notes.warn(cli.texts.input.ownUnread(baseUrl.value));
    return null;
  } finally {
    await client.close();
  }
}
