import { PermissionError } from '@changgu/sdk';
import type { Cli } from '../cli.ts';
import type { Reader } from '../reader.ts';

/**
 * Refuses a link that there is not: its empty list, or its silent stream, would look like an answer.
 * @throws what the service says of it
 */
export async function checkLink(cli: Cli, { credentials }: Reader, id: string): Promise<void> {
  try {
    await credentials.get(id, cli.call);
  } catch (error) {
    // Who may read jobs need not be one who may read links.
    if (!(error instanceof PermissionError)) throw error;
  }
}
