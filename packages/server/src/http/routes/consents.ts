import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import { recordConsent } from '../../organizations/consents.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

export function consentRoutes(app: HttpApp, { store }: Pick<CoreDependencies, 'store'>): void {
  route(app, operations.account.recordConsent, async ({ principal, body, origin }) => ({
    status: 201,
    body: await recordConsent(store, principal, body, origin),
  }));
}
