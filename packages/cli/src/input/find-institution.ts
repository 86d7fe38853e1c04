import { type CatalogueInstitution, loadCatalogue, nearest } from '@changgu/sdk/catalogue';
import type { Cli } from '../cli.ts';
import { usageError } from '../cli-error.ts';
import { readOwnInstitutions } from './own-institutions.ts';

/** One that needs no request to be known. */
export async function isBuiltIn(provider: string): Promise<boolean> {
  const { institutions } = await loadCatalogue();
  return institutions.some((known) => known.provider === provider);
}

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
