import { type CatalogueInstitution, loadCatalogue } from '@changgu/contract/catalogue';
import { buildOpenApi, OPERATIONS } from '@changgu/contract/schemas';

/**
 * The document of this very server: with a team's own institutions among its examples, and as `x-own-institutions` all
 * that the catalogue knows of them, for programs that offer their actions (D149).
 */
export async function openApiDocument(
  institutions: readonly CatalogueInstitution[],
  publicBaseUrl: string,
) {
  const { institutions: builtIn } = await loadCatalogue();
  const known = new Set(builtIn.map(({ provider }) => provider));
  const own = institutions.filter(({ provider }) => !known.has(provider));
  const document = buildOpenApi({ operations: OPERATIONS, institutions, publicBaseUrl });
  return own.length === 0 ? document : { ...document, 'x-own-institutions': own };
}
