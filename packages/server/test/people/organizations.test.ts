import { Changgu } from '@changgu/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStores } from '../../src/store/testing/describe-stores.ts';
import { newMember, newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

describeStores('the organizations that operators see', (stores) => {
  let server: TestServer;
  let operator: Changgu;
  let owner: Person;
  beforeAll(async () => {
    server = await startTestServer({ env: { DATABASE_URL: await stores.url() } });
    operator = new Changgu({ baseUrl: server.url, token: server.adminToken });
    owner = await newPerson(server);
    await newMember(server, owner, 'MEMBER');
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const one = async () => {
    const { items } = await operator.admin.listOrganizations();
    return items.find(({ organizationId }) => organizationId === owner.organizationId);
  };

  it('show plan, subscription and how many people they have', async () => {
    expect(await one()).toMatchObject({
      members: 2,
      membershipTier: 'FREE',
      planCode: 'FREE',
      planName: 'Free',
      subscriptionStatus: null,
      currentPeriodEnd: null,
      state: 'ACTIVE',
    });
    await operator.admin.setSubscription(owner.organizationId, { planCode: 'STANDARD' });
    expect(await one()).toMatchObject({
      membershipTier: 'PAID',
      planName: 'Standard',
      subscriptionStatus: 'ACTIVE',
      currentPeriodEnd: expect.any(String),
    });
  });

  it('come newest first, page by page, each once', async () => {
    await Promise.all([newPerson(server), newPerson(server)]);
    const ids: number[] = [];
    for await (const each of operator.admin.eachOrganization({ limit: 2 })) {
      ids.push(each.organizationId);
    }
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
    expect(ids.length).toBeGreaterThan(3);
  });

  it('are found by a part of the name, taken as it is written', async () => {
    const name = (await one())?.name ?? '';
    const found = await operator.admin.listOrganizations({ text: name.slice(1).toUpperCase() });
    expect(found.items.map(({ organizationId }) => organizationId)).toContain(owner.organizationId);
    expect((await operator.admin.listOrganizations({ text: '%_\\' })).items).toEqual([]);
  });

  it.each(['NFC', 'NFD'] as const)(
    'are found by a Korean name that is stored in %s',
    async (form) => {
      const name = `한빛상사 ${form}`.normalize(form);
      await server.call('POST', '/v1/auth/register', {
        body: {
          email: `${form}@example.com`,
          password: 'a good password of a company',
          name: '홍길동',
          company_name: name,
          agree_terms: true,
          agree_privacy: true,
        },
      });
      for (const typed of ['NFC', 'NFD']) {
        const { items } = await operator.admin.listOrganizations({ text: name.normalize(typed) });
        expect(items.map((found) => found.name)).toEqual([name]);
      }
    },
  );

  it.each([
    ['/v1/credentials', 'header'],
    ['/v1/app-credentials', 'header'],
    ['/v1/oauth/grants', 'header'],
    ['/v1/billing/invoices', 'header'],
    ['/v1/billing/invoices', 'query'],
    ['/v1/billing/account', 'query'],
    ['/v1/admin/legacy-api-keys', 'query'],
    ['/v1/admin/audit', 'query'],
  ])(
    'have nothing to list at %s where one that was never there is named in the %s (D87)',
    async (path, place) => {
      const statusOf = async (organizationId: number) => {
        const headers = {
          authorization: `Bearer ${server.adminToken}`,
          ...(place === 'header' ? { 'x-organization-id': String(organizationId) } : {}),
        };
        const query = place === 'query' ? `?organization_id=${organizationId}` : '';
        const { status, body } = await server.call('GET', path + query, {
          env: 'production',
          headers,
        });
        return body.error?.code ?? status;
      };
      expect(await statusOf(owner.organizationId)).toBe(200);
      expect(await statusOf(999_999)).toBe('RESOURCE_NOT_FOUND');
    },
  );
});
