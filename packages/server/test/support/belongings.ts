import { Secret, TOTP } from 'otpauth';
import { newOAuthGrantId } from '../../src/ids.ts';
import { callerWith, type Person } from './people.ts';
import type { TestServer } from './start-server.ts';

const DAY_MS = 86_400_000;

/** What an organization has besides its links and jobs, by the name of its path parameter. */
export async function makeBelongings(
  server: TestServer,
  owner: Person,
  member: Person,
): Promise<Record<string, string>> {
  const invitation = await owner.call('POST', '/v1/members/invitations', {
    email: 'belongings@example.com',
    role: 'MEMBER',
  });
  const sessions = await owner.call('GET', '/v1/me/sessions');
  const invoice = await callerWith(server, server.adminToken)('POST', '/v1/admin/invoices', {
    organization_id: owner.organizationId,
    env_scope: 'sandbox',
    subtotal_amount_minor: 1000,
    tax_amount_minor: 100,
    total_amount_minor: 1100,
    items: [
      {
        description: '항목',
        quantity: 1,
        unit_amount_minor: 1000,
        amount_minor: 1000,
        item_kind: 'ONE_TIME',
      },
    ],
  });
  return {
    user_id: String(member.userId),
    invitation_id: invitation.body.invitation_id,
    session_id: sessions.body.items[0].session_id,
    factor_id: await enrolledFactor(member),
    grant_id: await approvedGrant(server, owner),
    invoice_id: String(invoice.body.invoice_id),
  };
}

async function enrolledFactor(person: Person): Promise<string> {
  const { body } = await person.call('POST', '/v1/me/factors', {
    kind: 'totp',
    password: person.password,
  });
  const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate();
  const confirmed = await person.call('POST', `/v1/me/factors/${body.factor_id}/confirm`, { code });
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body));
  return body.factor_id;
}

async function approvedGrant({ core }: TestServer, { organizationId, userId }: Person) {
  const { id } = await core.store.oauthGrants.approve({
    id: newOAuthGrantId(),
    organizationId,
    userId,
    clientId: 'client',
    clientName: 'Client',
    redirectHost: null,
    scopes: ['jobs:read'],
    envScopes: ['sandbox'],
    allowedActions: null,
    expiresAt: core.clock.realNow() + DAY_MS,
    actor: { kind: 'console_user', id: String(userId), traceId: 'test' },
  });
  return id;
}
