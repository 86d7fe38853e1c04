import type { EventType } from '@changgu/contract';
import { EventRecord, inlineSchema } from '@changgu/contract/schemas';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeStores } from '../../src/store/testing/describe-stores.ts';
import { seedBankAccounts, seedLink } from '../../src/store/testing/seed.ts';
import { shapeCheck } from '../../src/validation/shape-check.ts';
import { callerWith, newMember, newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

const SUMMARY = { provider: 'bank_a', action: 'bank_a.accounts.quick_summary.get' };

describeStores('an organization is told', (stores) => {
  let server: TestServer;
  let admin: Person['call'];
  let owner: Person;

  beforeAll(async () => {
    server = await startTestServer({
      env: {
        DATABASE_URL: await stores.url(),
        MASTER_KEY: 'cd'.repeat(32),
        RATE_LIMIT: '100000/60',
      },
    });
    admin = callerWith(server, server.adminToken);
    owner = await newPerson(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Other tests write to the same PostgreSQL, and their open transactions hold events back. */
  async function untilReadable(organizationId: number): Promise<void> {
    await vi.waitFor(async () => {
      const all = { organizationId, tx: 0, seq: 0, limit: 1_000 };
      expect((await server.core.store.events.after(all)).heldBack).toBe(false);
    }, 10_000);
  }

  /** What the owner's organization was told of these types. */
  async function told(...types: EventType[]) {
    await untilReadable(owner.organizationId);
    const query = [...types.map((type) => `type=${type}`), 'limit=100'].join('&');
    const { body } = await owner.call('GET', `/v1/events?${query}`);
    return body.items;
  }

  const recordInvoice = () =>
    admin('POST', '/v1/admin/invoices', {
      organization_id: owner.organizationId,
      env_scope: 'production',
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

  const issueKey = () => owner.call('POST', '/v1/app-credentials', { label: 'k' });

  const issueLegacyKey = () =>
    admin('POST', '/v1/admin/legacy-api-keys', {
      organization_id: owner.organizationId,
      env_scope: 'sandbox',
      label: 'old',
    });

  const unlink = (linkId: string) => owner.call('POST', `/v1/credentials/${linkId}/unlink`);

  it('of each move of an invoice', async () => {
    const moves = [
      ['open', 'pay', 'refund'],
      ['open', 'void'],
      ['open', 'uncollectible'],
    ];
    for (const verbs of moves) {
      const { invoice_id: id, invoice_number: number } = (await recordInvoice()).body;
      for (const verb of verbs) {
        const body = verb === 'refund' ? {} : undefined;
        expect((await admin('POST', `/v1/admin/invoices/${id}/${verb}`, body)).status).toBe(200);
      }
      expect(number).toMatch(/^INV-/);
    }
    const events = await told(
      'invoice.drafted',
      'invoice.issued',
      'invoice.paid',
      'invoice.refunded',
      'invoice.voided',
      'invoice.uncollectible',
    );
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'invoice.drafted',
      'invoice.issued',
      'invoice.paid',
      'invoice.refunded',
      'invoice.drafted',
      'invoice.issued',
      'invoice.voided',
      'invoice.drafted',
      'invoice.issued',
      'invoice.uncollectible',
    ]);
    expect(events[2]).toMatchObject({ env_scope: null, data: { status: 'PAID' } });
    expect(
      new Set(events.map((event: { subject: object }) => JSON.stringify(event.subject))).size,
    ).toBe(3);
  });

  it('of keys of either kind that are issued and revoked', async () => {
    const { client_id: clientId } = (await issueKey()).body;
    await owner.call('POST', `/v1/app-credentials/${clientId}/revoke`);
    const legacy = await issueLegacyKey();
    expect(legacy.status).toBe(201);
    const { key_id: keyId } = legacy.body;
    await admin('POST', `/v1/admin/legacy-api-keys/${keyId}/revoke`);
    const [first, second, third, fourth] = (await told('key.issued', 'key.revoked')).slice(-4);
    expect(first).toMatchObject({ type: 'key.issued', subject: { client_id: clientId } });
    expect(second).toMatchObject({ type: 'key.revoked', subject: { client_id: clientId } });
    expect(third).toMatchObject({ type: 'key.issued', subject: { legacy_api_key_id: keyId } });
    expect(fourth).toMatchObject({ type: 'key.revoked', subject: { legacy_api_key_id: keyId } });
  });

  it('of members who are invited, join, change their role and leave', async () => {
    const member = await newMember(server, owner, 'MEMBER');
    const path = `/v1/members/${member.userId}`;
    expect((await owner.call('PATCH', path, { role: 'ADMIN' })).status).toBe(200);
    expect((await owner.call('DELETE', path)).status).toBe(200);
    const events = await told(
      'member.invited',
      'member.joined',
      'member.role_changed',
      'member.removed',
    );
    const [invited, joined, changed, removed] = events;
    expect(invited).toMatchObject({ type: 'member.invited', data: { role: 'MEMBER' } });
    expect(joined).toMatchObject({
      type: 'member.joined',
      subject: { ...invited.subject, user_id: member.userId },
    });
    const subject = { user_id: member.userId };
    expect(changed).toMatchObject({
      type: 'member.role_changed',
      subject,
      data: { role: 'ADMIN' },
    });
    expect(removed).toMatchObject({ type: 'member.removed', subject });
    expect(JSON.stringify(events)).not.toContain(member.email);
  });

  it('of both who hand over an organization and who receive it', async () => {
    const heir = await newMember(server, owner, 'MEMBER');
    await owner.call('POST', '/v1/organization/ownership', { user_id: heir.userId });
    const roles = (await told('member.role_changed')).slice(-2);
    expect(roles).toMatchObject([
      { subject: { user_id: heir.userId }, data: { role: 'OWNER' } },
      { subject: { user_id: owner.userId }, data: { role: 'ADMIN' } },
    ]);
    await heir.call('POST', '/v1/organization/ownership', { user_id: owner.userId });
  });

  it('of a link that is unlinked', async () => {
    const linkId = await seedLink(stores, owner.organizationId);
    expect((await unlink(linkId)).status).toBe(200);
    expect(await told('link.unlinked')).toMatchObject([
      { subject: { account_link_id: linkId }, env_scope: null, data: { provider: 'bank_b' } },
    ]);
  });

  it('of an all-accounts call whose last job has ended, with how each ended', async () => {
    const linkId = await seedLink(stores, server.organizationId, { provider: 'bank_a' });
    await seedBankAccounts(stores, linkId, 2);
    const call = await server.call('POST', '/v1/jobs/all-accounts', { key: 'all', body: SUMMARY });
    expect(call.status).toBe(202);
    await vi.waitFor(async () => {
      const { body } = await server.call('GET', '/v1/events?type=all_accounts.finished');
      expect(body.items).toMatchObject([
        { subject: { idempotency_key: 'all' }, env_scope: 'sandbox', data: { succeeded: 2 } },
      ]);
    }, 10_000);
  });

  it('of a link, a job or an environment alone, when it asks for that', async () => {
    const linkId = await seedLink(stores, server.organizationId, { provider: 'bank_c' });
    const submit = (provider: string, link: object) =>
      server.call('POST', '/v1/jobs', {
        key: `alone at ${provider}`,
        body: { provider, action: `${provider}.accounts.list`, ...link },
      });
    const { job_id: jobId } = (await submit('bank_c', { account_link_id: linkId })).body;
    const { job_id: other } = (await submit('bank_a', {})).body;
    for (const id of [jobId, other]) await server.ended(id);
    await untilReadable(server.organizationId);
    const subjects = async (query: string) => {
      const { body } = await server.call('GET', `/v1/events?${query}`);
      const items: EventRecord[] = body.items;
      return new Set(items.map(({ subject }) => subject.job_id));
    };
    expect(await subjects(`account_link_id=${linkId}`)).toEqual(new Set([jobId]));
    expect(await subjects(`job_id=${other}&env_scope=sandbox`)).toEqual(new Set([other]));
    expect(await subjects(`job_id=${other}&account_link_id=${linkId}`)).toEqual(new Set());
    expect(await subjects(`job_id=${other}&env_scope=real_test`)).toEqual(new Set());
    // Invoices and keys belong to no environment.
    const { body } = await owner.call('GET', '/v1/events?env_scope=sandbox');
    expect(body.items).toEqual([]);
    expect(await told()).not.toEqual([]);
  });

  it('of everything with the data that its type has', async () => {
    const violations = shapeCheck(inlineSchema(EventRecord), ['event']);
    const own = await told();
    const { body: all } = await server.call('GET', '/v1/events?limit=100');
    const events: EventRecord[] = [...own, ...all.items];
    expect(new Set(events.map(({ type }) => type.split('.')[0]))).toEqual(
      new Set(['job', 'all_accounts', 'link', 'invoice', 'member', 'key']),
    );
    for (const event of events) expect(violations(event), JSON.stringify(event)).toEqual([]);
  });

  it('of nothing that is reserved, though filters and endpoints take it', async () => {
    expect(await told('job.input_required')).toEqual([]);
    const endpoint = await owner.call('POST', '/v1/webhooks', {
      url: 'https://receiver.example/hook',
      event_types: ['job.input_required'],
      env_scope: 'sandbox',
    });
    expect(endpoint.status).toBe(201);
  });

  describe('in the transaction that makes it true', () => {
    const mute =
      stores.dialect === 'sqlite'
        ? [
            `create trigger mute before insert on events begin select raise(abort, 'mute'); end`,
            'drop trigger mute',
          ]
        : [
            `create function mute() returns trigger language plpgsql as 'begin raise ''mute''; end';
             create trigger mute before insert on events execute function mute()`,
            'drop trigger mute on events; drop function mute()',
          ];
    const [on = '', off = ''] = mute;
    const count = async (table: string) =>
      Number((await stores.execute(`select count(*) as n from ${table}`))[0]?.n);

    it.each([
      ['key', 'app_credentials', issueKey],
      ['legacy key', 'legacy_api_keys', issueLegacyKey],
      ['invoice', 'invoices', recordInvoice],
      [
        'invitation',
        'invitations',
        () =>
          owner.call('POST', '/v1/members/invitations', {
            email: 'new@example.com',
            role: 'MEMBER',
          }),
      ],
      [
        'job',
        'jobs',
        () =>
          server.call('POST', '/v1/jobs', {
            key: 'mute',
            body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
          }),
      ],
      [
        'unlinking',
        `account_links where status = 'UNLINKED'`,
        async () => unlink(await seedLink(stores, owner.organizationId)),
      ],
    ])('there is no %s without an event', async (_, table, act) => {
      const before = await count(table);
      await stores.execute(on);
      try {
        expect((await act()).status).toBeGreaterThanOrEqual(500);
      } finally {
        await stores.execute(off);
      }
      expect(await count(table)).toBe(before);
    });
  });
});
