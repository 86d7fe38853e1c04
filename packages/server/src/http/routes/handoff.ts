import { operations } from '@changgu/contract/schemas';
import type { CoreDependencies } from '../../core.ts';
import { exchangeHandoff } from '../../organizations/integrator-applications.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

/** The token is the authorization; guesses are limited per address. */
export function handoffRoute(app: HttpApp, { store }: Pick<CoreDependencies, 'store'>): void {
  route(
    app,
    operations.account.exchangeHandoff,
    async ({ body, origin }) => ({
      status: 200,
      body: await exchangeHandoff(store, body.handoff_token, origin),
    }),
    { limitAddress: true },
  );
}
