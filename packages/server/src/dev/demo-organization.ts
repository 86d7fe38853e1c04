import { randomBytes } from 'node:crypto';
import type { CoreDependencies } from '../core.ts';
import { hashPassword } from '../crypto/password.ts';
import { issueAppCredential } from '../principals/app-credentials.ts';
import { issueLegacyApiKey } from '../principals/legacy-keys.ts';
import { createVerifiers } from '../principals/verifiers.ts';
import type { Actor, RequestOrigin } from '../rules/principals/actor.ts';
import type { AdminPrincipal } from '../rules/principals/principal.ts';
import type { Demo } from './demo-file.ts';
import { createDemoLinks } from './demo-links.ts';

/** The part of demo.json that is stored in the database. */
export type DemoAccess = Pick<
  Demo,
  'organization_id' | 'client' | 'console' | 'legacy_api_key' | 'account_links' | 'bank_accounts'
>;

const SETUP: Actor = { kind: 'system', id: 'dev', traceId: null };
const ORIGIN: RequestOrigin = { traceId: null, address: '127.0.0.1', userAgent: null };
const ADMIN_EMAIL = 'admin@changgu.example';
const CONSOLE_EMAIL = 'owner@changgu.example';
const ADMIN_TOKEN_SECONDS = 30 * 86_400;

/** Whether the file still matches this database. */
export async function demoWorks(
  { store, tokens }: CoreDependencies,
  demo: DemoAccess,
): Promise<boolean> {
  const { client_id: id, client_secret: secret } = demo.client;
  return (await createVerifiers(store, tokens).client(id, secret, { traceId: null })) !== null;
}

/** A demo organization with real_test open, its owner, its keys and its links. */
export async function createDemoOrganization(
  core: CoreDependencies,
  { links }: { readonly links: boolean },
): Promise<DemoAccess> {
  const { store } = core;
  const admin = await demoAdmin(core);
  const console = { email: uniqueEmail(), password: randomBytes(12).toString('base64url') };
  const { organizationId, userId } = await store.users.register({
    email: console.email,
    name: '데모 사용자',
    phone: null,
    passwordHash: await hashPassword(console.password),
    organizationName: '창구 데모',
    businessNumber: null,
    origin: ORIGIN,
  });
  await store.envAccess.request({
    organizationId,
    userId,
    reasonText: null,
    settings: { autoApprove: true, demoDays: null },
    actor: SETUP,
  });
  const client = await issueAppCredential(
    store,
    { principal: admin, organizationId, origin: ORIGIN },
    {
      label: 'demo',
      allowed_env_scopes: ['sandbox', 'real_test'],
      allow_irreversible_tools: true,
    },
  );
  const legacy = await issueLegacyApiKey(
    store,
    { organization_id: organizationId, env_scope: 'real_test', label: 'demo' },
    SETUP,
  );
  return {
    organization_id: organizationId,
    client: { client_id: client.client_id, client_secret: client.client_secret },
    console,
    legacy_api_key: legacy.api_key,
    ...(links
      ? await createDemoLinks(core, organizationId, SETUP)
      : { account_links: {}, bank_accounts: {} }),
  };
}

/** A token valid for the next 30 days, issued at every start. */
export async function demoAdminToken(core: CoreDependencies): Promise<string> {
  const admin = await core.store.admins.create({ email: ADMIN_EMAIL, actor: SETUP });
  const { token } = await core.tokens.issue(
    { kind: 'admin_user', userId: String(admin.adminId), passwordEpoch: admin.tokenEpoch },
    ADMIN_TOKEN_SECONDS,
  );
  return token;
}

async function demoAdmin({ store }: CoreDependencies): Promise<AdminPrincipal> {
  const { adminId, email } = await store.admins.create({ email: ADMIN_EMAIL, actor: SETUP });
  return { kind: 'admin_user', id: String(adminId), email };
}

/** A database that outlived its demo.json already has the plain address. */
function uniqueEmail(): string {
  return CONSOLE_EMAIL.replace('@', `+${randomBytes(3).toString('hex')}@`);
}
