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
import type { Origin } from '../../rules/principals/actor.ts';
import type { Principal } from '../../rules/principals/principal.ts';
import type { HttpApp } from '../app.ts';
import { route } from '../route.ts';

const { bankAccounts } = operations;

/** Bank accounts of a link. */
export function bankAccountRoutes(app: HttpApp, dependencies: BankAccountDependencies): void {
  const { store } = dependencies;

  route(app, bankAccounts.linkBankAccount, async (request) => ({
    status: 201,
    body: await linkBankAccount(dependencies, targetOf(request), request.body),
  }));
  route(app, bankAccounts.listBankAccounts, async ({ principal, params }) => ({
    status: 200,
    body: await listBankAccounts(store, principal.organizationId, params.account_link_id),
  }));
  route(app, bankAccounts.readBankAccount, async ({ principal, params }) => ({
    status: 200,
    body: await readBankAccount(
      store,
      principal.organizationId,
      params.account_link_id,
      params.bank_account_credential_id,
    ),
  }));
  route(app, bankAccounts.updateBankAccount, async (request) => {
    const { bank_account_credential_id: id } = request.params;
    return {
      status: 200,
      body: await updateBankAccount(dependencies, targetOf(request), id, request.body),
    };
  });
  route(app, bankAccounts.unlinkBankAccount, async (request) => {
    const { bank_account_credential_id: id } = request.params;
    return { status: 200, body: await unlinkBankAccount(store, targetOf(request), id) };
  });
  route(app, bankAccounts.setDefaultBankAccount, async (request) => {
    const { bank_account_credential_id: id } = request.params;
    return { status: 200, body: await setDefaultBankAccount(store, targetOf(request), id) };
  });
}

function targetOf<P extends Principal>(request: {
  readonly principal: P;
  readonly origin: Origin;
  readonly params: { readonly account_link_id: string };
}) {
  const { principal, origin, params } = request;
  return { principal, origin, accountLinkId: params.account_link_id };
}
