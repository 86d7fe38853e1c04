import { Readable } from 'node:stream';
import { operations } from '@changgu/contract/schemas';
import { exportAudit, readAudit } from '../../audit/read-audit.ts';
import type { CoreDependencies } from '../../core.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

const { listOwnAudit, exportOwnAudit } = operations.audit;

/** The caller's organization's audit log. */
export function auditRoutes(app: HttpApp, { store }: Pick<CoreDependencies, 'store'>): void {
  route(app, listOwnAudit, async ({ principal, query }) => ({
    status: 200,
    body: await readAudit(store, { ...query, organization_id: principal.organizationId }),
  }));
  route(app, exportOwnAudit, async ({ principal, query }) => {
    const lines = exportAudit(store, { ...query, organization_id: principal.organizationId });
    return { status: 200, body: Readable.from(lines) };
  });
}
