import { type CatalogueInstitution, loadCatalogue } from '@changgu/contract/catalogue';
import { buildOpenApi, OPERATIONS } from '@changgu/contract/schemas';

/**
 * This server's OpenAPI document. Institutions that a team added appear among its examples, and their complete
 * catalog entries as `x-own-institutions`, for programs that offer their actions.
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
