import { type CatalogueInstitution, loadCatalogue, nearest } from '@changgu/sdk/catalogue';
import type { Cli } from '../cli.ts';
import { CliError, usageError } from '../cli-error.ts';
import { readOwnInstitutions } from './own-institutions.ts';

/** The institution of this name; null when the service cannot be asked. @throws usage error */
export async function findInstitution(
  cli: Cli,
  provider: string,
): Promise<CatalogueInstitution | null> {
  const { institutions } = await loadCatalogue();
  const builtIn = institutions.find((known) => known.provider === provider);
  if (builtIn) return builtIn;
  const own = await readOwnInstitutions(cli);
  if (own === null) return null;
  const all = [...institutions, ...own];
  const found = all.find((known) => known.provider === provider);
  if (found) return found;
  throw unknownInstitution(cli, provider, all);
}

/**
 * Refuses a filter that is a typo, whose empty list would look like an answer. An institution of which something is
 * there is known, too: it may have been removed from the service since.
 * @throws usage error
 */
export async function checkFilter(
  cli: Cli,
  provider: string | undefined,
  isThere: (provider: string) => Promise<boolean>,
): Promise<void> {
  if (provider === undefined) return;
  try {
    await findInstitution(cli, provider);
  } catch (error) {
    if (!(error instanceof CliError) || !(await isThere(provider))) throw error;
  }
}

/** A usage error that names the nearest, and all of them. */
export function unknownInstitution(
  cli: Cli,
  provider: string,
  all: readonly CatalogueInstitution[],
): Error {
  const names = all.map((known) => known.provider);
  const meant = nearest(provider, names);
  return usageError(
    cli.texts.input.unknownInstitution(provider),
    ...(meant === null ? [] : [cli.texts.didYouMean(meant)]),
    cli.texts.input.knownInstitutions(names.join(', ')),
  );
}
