import { operations } from '@changgu/contract/schemas';
import { type MembershipDependencies, readMembership } from '../../membership/read-membership.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

export function membershipRoute(app: HttpApp, dependencies: MembershipDependencies): void {
  const { readMembership: operation } = operations.membership;
  route(app, operation, async ({ principal, envScope, rate }) => ({
    status: 200,
    body: await readMembership(dependencies, principal, envScope, rate),
  }));
}
