import type { CatalogueAction } from '@changgu/contract/catalogue';
import { operations } from '@changgu/contract/schemas';
import type { Language } from '../requests/language.ts';

const { TAX_PORTAL_PREFIX } = operations.taxPortal;

/** The synchronous tax-portal endpoints, with the screens and certificates that they stand for. */
export function taxPortalDirectory(actions: readonly CatalogueAction[], language: Language) {
  return {
    service_version: '2.0.0' as const,
    endpoints: actions.flatMap(({ taxPortal, title }) =>
      taxPortal === null
        ? []
        : [
            {
              method: taxPortal.method,
              path: `${TAX_PORTAL_PREFIX}${taxPortal.path}`,
              function: title[language],
              screen_id: taxPortal.screenId,
              code: taxPortal.certificateCode,
            },
          ],
    ),
  };
}
