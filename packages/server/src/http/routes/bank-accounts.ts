import { operations } from '@changgu/contract/schemas';
import {
  type BankAccountDependencies,
  linkBankAccount,
  listBankAccounts,
  readBankAccount,
  setDefaultBankAccount,
  unlinkBankAccount,
  updateBankAccount,
} from '../../credentials/bank-accounts.ts';
import { assertInReach } from '../../credentials/link-reach.ts';
import type { RequestOrigin } from '../../rules/principals/actor.ts';
import type { Principal } from '../../rules/principals/principal.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

const { bankAccounts } = operations;

type BankAccountRouteDependencies = BankAccountDependencies & Parameters<typeof assertInReach>[0];

/** Bank accounts of a link. */
export function bankAccountRoutes(app: HttpApp, dependencies: BankAccountRouteDependencies): void {
  const { store } = dependencies;

  /** The same code for every kind of caller: of an account, the link is the parent. */
  async function assertParent(
    principal: Principal,
    linkId: string,
    intent: 'read' | 'change',
  ): Promise<void> {
    try {
      await assertInReach(dependencies, principal, linkId, intent);
    } catch (error) {
      const isMissing = error instanceof ServiceError && error.code === 'ACCOUNT_LINK_NOT_FOUND';
      throw isMissing ? new ServiceError('BANK_ACCOUNT_PARENT_NOT_FOUND') : error;
    }
  }

  async function targetOf<P extends Principal>(request: AboutLink<P>) {
    const { principal, origin, params } = request;
    await assertParent(principal, params.account_link_id, 'change');
    return { principal, origin, accountLinkId: params.account_link_id };
  }

  route(app, bankAccounts.linkBankAccount, async (request) => ({
    status: 201,
    body: await linkBankAccount(dependencies, await targetOf(request), request.body),
  }));
  route(app, bankAccounts.listBankAccounts, async ({ principal, params }) => {
    const { account_link_id: linkId } = params;
    await assertParent(principal, linkId, 'read');
    return { status: 200, body: await listBankAccounts(store, principal.organizationId, linkId) };
  });
  route(app, bankAccounts.readBankAccount, async ({ principal, params }) => {
    const { account_link_id: linkId, bank_account_credential_id: id } = params;
    await assertParent(principal, linkId, 'read');
    return {
      status: 200,
      body: await readBankAccount(store, principal.organizationId, linkId, id),
    };
  });
  route(app, bankAccounts.updateBankAccount, async (request) => {
    const { bank_account_credential_id: id } = request.params;
    return {
      status: 200,
      body: await updateBankAccount(dependencies, await targetOf(request), id, request.body),
    };
  });
  route(app, bankAccounts.unlinkBankAccount, async (request) => {
    const { bank_account_credential_id: id } = request.params;
    return { status: 200, body: await unlinkBankAccount(store, await targetOf(request), id) };
  });
  route(app, bankAccounts.setDefaultBankAccount, async (request) => {
    const { bank_account_credential_id: id } = request.params;
    return { status: 200, body: await setDefaultBankAccount(store, await targetOf(request), id) };
  });
}

interface AboutLink<P extends Principal> {
  readonly principal: P;
  readonly origin: RequestOrigin;
  readonly params: { readonly account_link_id: string };
}
