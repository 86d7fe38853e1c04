import { OPERATIONS, type Operation } from '@changgu/contract/schemas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBelongings } from './support/belongings.ts';
import { encrypt } from './support/encrypt.ts';
import { bearer, callerWith, newMember, newPerson, type Person } from './support/people.ts';
import { type Answer, startTestServer, type TestServer } from './support/start-server.ts';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let stranger: Person;
/** Headers that prove each kind of caller, of the organization of `owner`. */
let callers: Record<Caller, Record<string, string>>;
/** What fills the paths: things that the organization of `owner` has. */
let owned: Record<string, string>;

const CALLERS = [
  'anonymous',
  'client',
  'desktop_agent',
  'manage_webhooks',
  'console_owner',
  'console_administrator',
  'console_member',
  'admin_user',
  'legacy_api_key',
] as const;
type Caller = (typeof CALLERS)[number];

beforeAll(async () => {
  server = await startTestServer({
    env: { RATE_LIMIT: '100000/60' },
    simulatorControl: { list: async () => [], setState: async () => null },
  });
  [owner, stranger] = [await newPerson(server), await newPerson(server)];
  administrator = await newMember(server, owner, 'ADMIN');
  member = await newMember(server, owner, 'MEMBER');
  const asAdmin = callerWith(server, server.adminToken);
  const legacy = await asAdmin('POST', '/v1/admin/legacy-api-keys', {
    organization_id: owner.organizationId,
    env_scope: 'sandbox',
    label: 'l',
  });
  callers = {
    anonymous: {},
    client: await keyOf(owner, 'standard_external'),
    desktop_agent: await keyOf(owner, 'desktop_agent'),
    manage_webhooks: await keyOf(owner, 'standard_external', { manage_webhooks: true }),
    console_owner: bearer(owner.token),
    console_administrator: bearer(administrator.token),
    console_member: bearer(member.token),
    admin_user: bearer(server.adminToken),
    legacy_api_key: { 'x-api-key': legacy.body.api_key },
  };
  owned = { ...(await makeThings()), ...(await makeBelongings(server, owner, member)) };
});
afterAll(() => server[Symbol.asyncDispose]());

async function keyOf(person: Person, integration_profile: string, rights: object = {}) {
  const { body } = await server.call('POST', '/v1/app-credentials', {
    headers: {
      ...bearer(server.adminToken),
      'x-organization-id': String(person.organizationId),
    },
    body: { label: 'key', integration_profile, ...rights },
  });
  const pair = Buffer.from(`${body.client_id}:${body.client_secret}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

async function makeThings(): Promise<Record<string, string>> {
  const link = await owner.call('POST', '/v1/credentials/link', {
    provider: 'bank_b',
    login_id: encrypt('permissions'),
    login_password: encrypt('p'),
  });
  const { account_link_id } = link.body;
  const account = await owner.call('POST', `/v1/credentials/${account_link_id}/bank-accounts`, {
    account_no: encrypt('110123456789'),
    account_password: encrypt('1234'),
  });
  const key = await owner.call('POST', '/v1/app-credentials', { label: 'k' });
  const deletion = await owner.call('POST', '/v1/me/deletion-requests', {
    password: owner.password,
  });
  const application = await owner.call('POST', '/v1/me/integrator-applications', {
    company_name: 'c',
    contact_email: 'e',
    terms_agreed: true,
  });
  const job = await server.call('POST', '/v1/jobs', {
    key: 'permissions',
    headers: callers.client,
    body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
  });
  const webhook = await owner.call('POST', '/v1/webhooks', {
    url: 'https://receiver.example/hook',
    event_types: ['job.finished'],
    env_scope: 'sandbox',
  });
  const test = await owner.call('POST', `/v1/webhooks/${webhook.body.webhook_id}/test`);
  return {
    account_link_id,
    bank_account_credential_id: account.body.bank_account_credential_id,
    client_id: key.body.client_id,
    request_uuid: deletion.body.request_uuid,
    application_id: String(application.body.application_id),
    job_id: job.body.job_id,
    webhook_id: webhook.body.webhook_id,
    delivery_id: test.body.delivery_id,
  };
}

/** Calls an operation, with nothing more than its path needs. */
async function call(
  operation: Operation,
  headers: Record<string, string>,
  ids: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? '1');
  const answer = await fetch(new URL(path, server.url), {
    method: operation.method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    redirect: 'manual',
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
}

/** What the gate decided, whatever the operation then made of an empty request. */
function verdictOf({ status, headers, body }: Answer): string {
  if (status === 500) return 'broken';
  const code = body.error?.code;
  if (status === 401 && code === 'AUTH_INVALID_CREDENTIALS' && headers.has('www-authenticate')) {
    return 'unproven';
  }
  return status === 403 && code === 'AUTH_FORBIDDEN_PRINCIPAL' ? 'forbidden' : 'admitted';
}

/** The same table, read as the documentation says it. */
function isAdmitted({ may }: Operation, caller: Caller): boolean {
  if (may === 'anyone') return true;
  switch (caller) {
    case 'anonymous':
      return false;
    case 'client':
      return may.client === true;
    case 'desktop_agent':
      return may.client === true || may.client === 'desktop_agent';
    case 'manage_webhooks':
      return may.client === true || may.client === 'manage_webhooks';
    case 'console_owner':
      return may.console_user !== undefined;
    case 'console_administrator':
      return may.console_user !== undefined && may.console_user !== 'OWNER';
    case 'console_member':
      return may.console_user === 'MEMBER';
    case 'admin_user':
    case 'legacy_api_key':
      return may[caller] === true;
  }
}

const PROVEN = OPERATIONS.filter(({ may }) => may !== 'anyone');
/** What members may change: only what is theirs. */
const OWN_THINGS = [
  'changePassword',
  'requestDeletion',
  'cancelDeletion',
  'logout',
  'endSession',
  'requestEmailVerification',
  'addFactor',
  'confirmFactor',
  'removeFactor',
  'renameFactor',
  'beginPasskey',
  'addPasskey',
  'renewRecoveryCodes',
  // Only themselves: leaving.
  'removeMember',
  'denyOAuthInteraction',
];
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

it('opens to a legacy key the tax portal, its own jobs and what everyone may read (D109, D58, D118)', () => {
  const open = PROVEN.filter((operation) => isAdmitted(operation, 'legacy_api_key'));
  const besideTheTaxPortal = open.filter(({ tag }) => tag !== 'tax-portal');
  expect(besideTheTaxPortal.map(({ id }) => id).toSorted()).toEqual([
    'deleteJobArtifacts',
    'listProducts',
    'readEncryptionKeys',
    'readJob',
    'readJobResult',
    'readMembership',
    'readProduct',
  ]);
});

it('declares the least role for every operation of the console (D158)', () => {
  const changing = PROVEN.filter(
    ({ id, method, may }) =>
      method !== 'GET' &&
      may !== 'anyone' &&
      may.console_user === 'MEMBER' &&
      !OWN_THINGS.includes(id),
  );
  expect(changing.map(({ id }) => id)).toEqual([]);
});

describe.each(PROVEN)('$method $path', (operation) => {
  it.for(CALLERS)('%s', async (caller) => {
    // An empty object is a body that nothing can be done with: the call changes nothing.
    const body = WITH_BODY.has(operation.method) && operation.body ? { '\u0000': 0 } : undefined;
    const headers = { ...callers[caller], 'x-env-scope': 'sandbox', 'idempotency-key': 'm' };
    const answer = await call(operation, headers, {}, body);
    const admitted = isAdmitted(operation, caller) ? 'admitted' : 'forbidden';
    const refused = operation.orAnonymous ? 'admitted' : 'unproven';
    expect(verdictOf(answer)).toBe(caller === 'anonymous' ? refused : admitted);
  });
});

describe('resources of another organization do not exist (R124)', () => {
  const BODIES: Readonly<Record<string, () => unknown>> = {
    cancelDeletion: () => ({ password: stranger.password }),
    linkBankAccount: () => ({
      account_no: encrypt('110123456789'),
      account_password: encrypt('1234'),
    }),
    updateBankAccount: () => ({ account_password: encrypt('1234') }),
    selectAssets: () => ({ selected_assets: null }),
    updateWebhook: () => ({ status: 'DISABLED' }),
    setMemberRole: () => ({ role: 'ADMIN' }),
    confirmFactor: () => ({ code: '123456' }),
    renameFactor: () => ({ label: 'mine now' }),
    removeFactor: () => ({ password: stranger.password, factor_code: '123456' }),
    replayWebhook: () => ({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
  };
  const NOWHERE: Readonly<Record<string, string>> = {
    account_link_id: '00000000-0000-4000-8000-000000000000',
    bank_account_credential_id: '00000000-0000-4000-8000-000000000000',
    client_id: 'cli_00000000000000000000000000',
    request_uuid: '00000000-0000-4000-8000-000000000000',
    application_id: '999999',
    job_id: 'job_00000000000000000000000000',
    webhook_id: 'whk_00000000000000000000000000',
    delivery_id: 'whd_00000000000000000000000000',
    user_id: '999999',
    invitation_id: '00000000-0000-4000-8000-000000000000',
    session_id: '00000000-0000-4000-8000-000000000000',
    factor_id: '00000000-0000-4000-8000-000000000000',
    grant_id: 'oag_00000000000000000000000000',
    invoice_id: '999999',
  };
  const OWNED = PROVEN.filter(
    ({ path, may }) =>
      /\{/.test(path) &&
      [...path.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in NOWHERE) &&
      may !== 'anyone' &&
      (may.client ?? may.console_user),
  );

  it.for(OWNED)('$method $path', async (operation) => {
    const { may } = operation;
    const asConsole = may !== 'anyone' && may.console_user !== undefined;
    const headers = {
      ...(asConsole ? bearer(stranger.token) : await keyOf(stranger, 'standard_external')),
      'x-env-scope': 'sandbox',
    };
    const body = BODIES[operation.id]?.();
    const [foreign, missing] = [
      await call(operation, headers, owned, body),
      await call(operation, headers, NOWHERE, body),
    ];
    const { trace_id: _one, ...seen } = foreign.body.error;
    const { trace_id: _other, ...nothing } = missing.body.error;
    expect([foreign.status, seen]).toEqual([missing.status, nothing]);
    expect(foreign.status).toBe(404);
  });

  it('covers everything that has an owner', () => {
    const ids = Object.keys(NOWHERE).map((name) => owned[name]);
    for (const id of ids) expect(id).toMatch(/^(?!undefined$)./);
    expect(OWNED.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'readJob',
        'readJobResult',
        'cancelJob',
        'deleteJobArtifacts',
        'cancelDeletion',
        'mintHandoff',
        'revokeAppCredential',
        'readAccountLink',
        'selectAssets',
        'unlinkCredential',
        'readBankAccount',
        'unlinkBankAccount',
        'rotateWebhook',
        'replayWebhookDelivery',
        'setMemberRole',
        'removeMember',
        'resetMemberFactors',
        'revokeInvitation',
        'endSession',
        'renameFactor',
        'removeFactor',
        'revokeOAuthGrant',
        'readInvoice',
      ]),
    );
  });
});

describe('the environment of a call', () => {
  const NEEDED = PROVEN.filter(({ environment }) => environment === 'required');

  it.for(NEEDED)('$method $path wants one that exists (D26)', async (operation) => {
    const caller = CALLERS.find((each) => isAdmitted(operation, each)) ?? 'anonymous';
    for (const env of [undefined, 'moon', 'SANDBOX', '']) {
      const headers = {
        ...callers[caller],
        ...(env === undefined ? {} : { 'x-env-scope': env }),
        'idempotency-key': 'e',
      };
      const answer = await call(operation, headers, owned, operation.body ? {} : undefined);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_INVALID_FIELD']);
      expect(answer.body.error.fields[0].loc).toEqual(['header', 'X-Env-Scope']);
    }
  });

  const NEEDED_QUERIES: Readonly<Record<string, string>> = {
    listAllAccountsLines: '?idempotency_key=k',
  };
  const BY_KEY = NEEDED.filter(
    ({ id, may }) => /^(read|list|cancel|delete)/.test(id) && may !== 'anyone' && may.client,
  );

  it.for(BY_KEY)(
    '$method $path refuses a key that was not issued for it (D48)',
    async (operation) => {
      const headers = { ...callers.client, 'x-env-scope': 'production' };
      const path = operation.path + (NEEDED_QUERIES[operation.id] ?? '');
      const { status, body } = await call({ ...operation, path }, headers, owned);
      expect([status, body.error.code]).toEqual([403, 'POLICY_ENV_NOT_ALLOWED']);
    },
  );
});
