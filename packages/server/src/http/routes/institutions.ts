import { operations } from '@changgu/contract/schemas';
import {
  type InstitutionDependencies,
  listInstitutions,
} from '../../catalog/institution-records.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

/** GET /v1/institutions, an addition. */
export function institutionRoute(app: HttpApp, dependencies: InstitutionDependencies): void {
  route(app, operations.institutions.listInstitutions, async ({ envScope, language }) => ({
    status: 200,
    body: { env_scope: envScope, items: await listInstitutions(dependencies, envScope, language) },
  }));
}
