import type { IncomingHttpHeaders } from 'node:http';
import { operations } from '@changgu/contract/schemas';
import { readBillingAccount } from '../../billing/account.ts';
import { openAuthSession } from '../../billing/auth-session.ts';
import {
  listInvoices,
  moveInvoice,
  readInvoice,
  recordInvoice,
  refundInvoice,
} from '../../billing/invoices.ts';
import { readOfflineProfile, replaceOfflineProfile } from '../../billing/offline-profile.ts';
import {
  type PaymentDependencies,
  readPaymentMethod,
  registerPaymentMethod,
} from '../../billing/payment-method.ts';
import { listPlans, readSubscription } from '../../billing/plans.ts';
import {
  assertKnown,
  chosenOrganization,
  hintedOrganization,
} from '../../requests/chosen-organization.ts';
import { actorOf } from '../../rules/principals/actor.ts';
import type { Principal } from '../../rules/principals/principal.ts';
import type { ConfiguredPlan } from '../../rules/quota/plans.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { Store } from '../../store/database.ts';
import type { HttpApp } from '../app.ts';
import { type OperationRequest, route } from '../route.ts';

export interface BillingDependencies extends PaymentDependencies {
  readonly store: Store;
  readonly plans: Readonly<Record<string, ConfiguredPlan>>;
}

const { billing } = operations;

/** Invoices, plans, subscriptions and billing profiles. */
export function billingRoutes(app: HttpApp, dependencies: BillingDependencies): void {
  readingRoutes(app, dependencies);
  profileRoutes(app, dependencies);
  invoiceMoves(app, dependencies);
  paymentRoutes(app, dependencies);
}

function readingRoutes(app: HttpApp, { store, plans }: BillingDependencies): void {
  route(app, billing.listPlans, async () => ({ status: 200, body: listPlans(plans) }));
  route(app, billing.readSubscription, async ({ principal, headers, query }) => {
    const organizationId = ownOrNamed(principal, headers, query.organization_id);
    return { status: 200, body: await readSubscription({ store, plans }, organizationId) };
  });
  route(app, billing.listInvoices, async ({ principal, headers, envScope, query }) => {
    const organizationId = ownOrNamed(principal, headers, query.organization_id);
    await assertKnown(store, principal, organizationId);
    return {
      status: 200,
      body: await listInvoices({ store }, { organizationId, envScope }, query),
    };
  });
  route(app, billing.readInvoice, async ({ principal, headers, envScope, params }) => {
    const access = { organizationId: hintedOrganization(principal, headers), envScope };
    return { status: 200, body: await readInvoice({ store }, access, params.invoice_id) };
  });
}

function profileRoutes(app: HttpApp, { store }: BillingDependencies): void {
  route(app, billing.readOfflineProfile, async ({ principal, headers, envScope, params }) => {
    const organizationId = ownOrNamed(principal, headers, params.organization_id);
    return { status: 200, body: await readOfflineProfile({ store }, { organizationId, envScope }) };
  });
  route(app, billing.replaceOfflineProfile, async (request) => {
    const { principal, headers, envScope, params, body, origin } = request;
    const organizationId = ownOrNamed(principal, headers, params.organization_id);
    const actor = actorOf(principal, origin);
    const place = { organizationId, envScope };
    return { status: 200, body: await replaceOfflineProfile({ store }, place, body, actor) };
  });
}

function paymentRoutes(app: HttpApp, dependencies: BillingDependencies): void {
  route(app, billing.createBillingAuthSession, async ({ principal, headers }) => {
    const organizationId = chosenOrganization(principal, headers);
    return { status: 201, body: await openAuthSession(dependencies, organizationId) };
  });
  route(app, billing.registerPaymentMethod, async ({ principal, headers, body, origin }) => {
    const organizationId = chosenOrganization(principal, headers);
    const actor = actorOf(principal, origin);
    const { isNew, record } = await registerPaymentMethod(
      dependencies,
      organizationId,
      body,
      actor,
    );
    return { status: isNew ? 201 : 200, body: record };
  });
  route(app, billing.readBillingAccount, async ({ principal, headers, query }) => {
    const organizationId = ownOrNamed(principal, headers, query.organization_id);
    await assertKnown(dependencies.store, principal, organizationId);
    return { status: 200, body: await readBillingAccount(dependencies, organizationId) };
  });
  route(app, billing.readPaymentMethod, async ({ principal, headers, query }) => {
    const organizationId = ownOrNamed(principal, headers, query.organization_id);
    return { status: 200, body: await readPaymentMethod(dependencies, organizationId) };
  });
}

function invoiceMoves(app: HttpApp, { store }: BillingDependencies): void {
  route(app, billing.recordInvoice, async ({ principal, origin, body }) => ({
    status: 201,
    body: await recordInvoice({ store }, body, actorOf(principal, origin)),
  }));
  const move =
    (to: 'OPEN' | 'PAID' | 'VOID' | 'UNCOLLECTIBLE') =>
    async ({ principal, origin, params }: MoveRequest) => ({
      status: 200 as const,
      body: await moveInvoice({ store }, params.invoice_id, to, actorOf(principal, origin)),
    });
  route(app, billing.openInvoice, move('OPEN'));
  route(app, billing.payInvoice, move('PAID'));
  route(app, billing.voidInvoice, move('VOID'));
  route(app, billing.markInvoiceUncollectible, move('UNCOLLECTIBLE'));
  route(app, billing.refundInvoice, async ({ principal, origin, params, body }) => {
    const actor = actorOf(principal, origin);
    return {
      status: 200,
      body: await refundInvoice({ store }, params.invoice_id, body ?? {}, actor),
    };
  });
}

type MoveRequest = Pick<
  OperationRequest<typeof billing.openInvoice>,
  'principal' | 'origin' | 'params'
>;

/**
 * The organization that a request names, or the caller's own.
 * @throws ServiceError RESOURCE_NOT_FOUND for another organization than the caller's; 400 when an operator names none
 */
function ownOrNamed(
  principal: Principal,
  headers: IncomingHttpHeaders,
  named: number | undefined,
): number {
  if (named === undefined) return chosenOrganization(principal, headers);
  const own = hintedOrganization(principal, headers);
  if (principal.kind !== 'admin_user' && own !== named) {
    throw new ServiceError('RESOURCE_NOT_FOUND');
  }
  return named;
}
