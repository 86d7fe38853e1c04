import { randomUUID } from 'node:crypto';
import type { EnvScope } from '@changgu/contract';
import type { LinkPurpose } from '@changgu/contract/schemas';
import { newWebhookId } from '../../ids.ts';
import type { NewInvoice } from '../../rules/invoices/new-invoice.ts';
import type { Actor } from '../../rules/principals/actor.ts';
import type { Store } from '../database.ts';
import type { TestStores } from './describe-stores.ts';

export interface SeedOrganization {
  readonly paid?: boolean;
  readonly realTest?: boolean;
  readonly demoEndsAt?: number | null;
  readonly planCode?: string;
  readonly consentBlocked?: boolean;
}

/** An organization, by default on the free plan with real_test approved. Answers its id. */
export async function seedOrganization(
  { execute }: TestStores,
  options: SeedOrganization = {},
): Promise<number> {
  const { paid = false, realTest = true, demoEndsAt = null, consentBlocked = false } = options;
  const [row] = await execute(
    `insert into organizations (name, created_at, real_test_approved_at, demo_ends_at, tier,
       plan_code, subscription_status, consent_blocked)
     values ('창구', 0, ?, ?, ?, ?, ?, ?) returning id`,
    [
      realTest ? 1 : null,
      demoEndsAt,
      paid ? 'PAID' : 'FREE',
      options.planCode ?? (paid ? 'STANDARD' : 'FREE'),
      paid ? 'ACTIVE' : null,
      consentBlocked ? 1 : 0,
    ],
  );
  return Number(row?.id);
}

/** The owner of a new organization. */
export function registerOwner({ users }: Pick<Store, 'users'>, email: string) {
  return users.register({
    email,
    name: '홍길동',
    phone: null,
    passwordHash: 'hash',
    organizationName: '길동상회',
    businessNumber: null,
    origin: { traceId: null },
  });
}

export function consoleUser(userId: number): Actor {
  return { kind: 'console_user', id: String(userId), traceId: null };
}

export interface SeedWebhook {
  readonly organizationId: number;
  readonly actor: Actor;
  readonly envScope?: EnvScope;
}

/** An endpoint that this actor adds, by default in sandbox. Answers its id. */
export async function seedWebhook(
  { webhooks }: Pick<Store, 'webhooks'>,
  { organizationId, actor, envScope = 'sandbox' }: SeedWebhook,
): Promise<string> {
  const id = newWebhookId();
  await webhooks.create({
    id,
    manager: { organizationId, envScopes: null, allowedActions: null },
    url: 'https://receiver.example/hook',
    eventTypes: ['job.queued'],
    envScope,
    description: null,
    keys: new Uint8Array([1]),
    publicKey: 'whpk_',
    actor,
  });
  return id;
}

export interface SeedLink {
  readonly provider?: string;
  readonly primary?: boolean;
  readonly status?: 'ACTIVE' | 'SUSPENDED';
  readonly purpose?: LinkPurpose;
  readonly ownerKind?: 'business' | 'individual';
}

/** A linked account, by default of bank_b, not primary. Answers its id. */
export async function seedLink(
  { execute }: TestStores,
  organizationId: number,
  link: SeedLink = {},
): Promise<string> {
  const { provider = 'bank_b', primary = false, status = 'ACTIVE', purpose = 'test' } = link;
  const id = randomUUID();
  const suspended = status === 'SUSPENDED' ? 'PROVIDER_ACCOUNT_LOCKED' : null;
  await execute(
    `insert into account_links (id, organization_id, provider, auth_type, is_primary, status,
       suspended_code, registered_at, purpose, owner_kind)
     values (?, ?, ?, 'id_password', ?, ?, ?, 0, ?, ?)`,
    [
      id,
      organizationId,
      provider,
      primary ? 1 : 0,
      status,
      suspended,
      purpose,
      link.ownerKind ?? null,
    ],
  );
  return id;
}

/** Makes a link primary, and no other of its provider. */
export async function makePrimary({ execute }: TestStores, linkId: string): Promise<void> {
  await execute(
    `update account_links set is_primary = 0 where (organization_id, provider) in
       (select organization_id, provider from account_links where id = ?)`,
    [linkId],
  );
  await execute('update account_links set is_primary = 1 where id = ?', [linkId]);
}

export async function markUnlinked({ execute }: TestStores, linkId: string): Promise<void> {
  await execute(
    "update account_links set status = 'UNLINKED', unlinked_at = 1, is_primary = 0 where id = ?",
    [linkId],
  );
}

/** A bank account below a link. Answers its id. */
export async function seedBankAccount(
  { execute }: TestStores,
  linkId: string,
  { isDefault = false }: { readonly isDefault?: boolean } = {},
): Promise<string> {
  const id = randomUUID();
  await execute(
    `insert into bank_accounts (id, account_link_id, organization_id, provider, masked_account_no,
       status, is_default, registered_at)
     select ?, id, organization_id, provider, '110*****0001', 'ACTIVE', ?, 0
     from account_links where id = ?`,
    [id, isDefault ? 1 : 0, linkId],
  );
  return id;
}

/** Further bank accounts below a link, in one statement. Answers their ids, oldest first. */
export async function seedBankAccounts(
  { execute }: TestStores,
  linkId: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  if (count === 0) return ids;
  await execute(
    `insert into bank_accounts (id, account_link_id, organization_id, provider, masked_account_no,
       status, is_default, registered_at)
     select new.id, account_links.id, organization_id, provider, '110*****0001', 'ACTIVE', 0, 0
     from (${ids.map((id, n) => `select '${id}' as id, ${n} as n`).join(' union all ')}) as new,
       account_links
     where account_links.id = ? order by new.n`,
    [linkId],
  );
  return ids;
}

/** 1,100 won without items, for nothing in particular. */
export function draftInvoice(organizationId: number): NewInvoice {
  return {
    organizationId,
    subscriptionId: null,
    envScope: 'production',
    subtotal: 1_000,
    tax: 100,
    periodStart: null,
    periodEnd: null,
    dueAt: null,
    createdAt: null,
    usageMonth: null,
    items: [],
  };
}
