import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createPostgresDatabase,
  type TestDatabase,
} from '../../src/store/testing/describe-stores.ts';
import { ALL_ACTS } from '../../src/store/testing/no-filter.ts';
import { bearer, newMember, newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/start-server.ts';

describe.each(['sqlite', 'postgres'] as const)(
  'the audit log of an organization (%s)',
  (dialect) => {
    let database: TestDatabase | null = null;
    let server: TestServer;
    let owner: Record<string, string>;

    beforeAll(async () => {
      database = dialect === 'postgres' ? await createPostgresDatabase() : null;
      server = await startTestServer({
        env: { ROLE: 'api', ...(database === null ? {} : { DATABASE_URL: database.url }) },
      });
      const { body } = await server.call('POST', '/v1/auth/login', { body: server.console });
      owner = bearer(body.access_token);
    });
    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      await database?.remove();
    });

    const read = async (query = '') => {
      const { status, body } = await server.call('GET', `/v1/audit${query}`, { headers: owner });
      expect(status).toBe(200);
      return body.items as Record<string, unknown>[];
    };

    it('has each submission and cancellation, with who did it and where from', async () => {
      const headers = { 'user-agent': 'auditor/1.0' };
      const submitted = await Promise.all(
        ['one', 'two', 'three'].map((key) =>
          server.call('POST', '/v1/jobs', {
            key,
            headers,
            body: { provider: 'bank_a', action: 'bank_a.accounts.list' },
          }),
        ),
      );
      const ids = submitted.map(({ body }) => body.job_id);
      await server.call('POST', `/v1/jobs/${ids[0]}/cancel`);
      await server.call('POST', `/v1/jobs/${ids[0]}/cancel`);
      const submissions = await read('?act=job.submit');
      expect(new Set(submissions.map(({ target }) => target))).toEqual(new Set(ids));
      expect(submissions).toHaveLength(ids.length);
      expect(submissions[0]).toMatchObject({
        actor_kind: 'client',
        actor_id: server.client.client_id,
        organization_id: server.organizationId,
        address: '127.0.0.1',
        user_agent: 'auditor/1.0',
        details: { action: 'bank_a.accounts.list', env_scope: 'sandbox' },
        trace_id: expect.stringMatching(/^trc_/),
      });
      expect(await read(`?act=job.cancel&target=${ids[0]}`)).toHaveLength(1);
    });

    it('has no row for a submission that was refused or replayed', async () => {
      const submit = (action: string) =>
        server.call('POST', '/v1/jobs', { key: 'again', body: { provider: 'bank_a', action } });
      expect((await submit('bank_a.accounts.list')).status).toBe(202);
      const before = (await read('?act=job.submit&limit=100')).length;
      expect((await submit('bank_a.accounts.list')).status).toBe(200);
      expect((await submit('bank_a.nothing')).status).toBe(400);
      expect(await read('?act=job.submit&limit=100')).toHaveLength(before);
    });

    it('is exported as JSON lines', async () => {
      // A row is sealed after its commit, so that two reads may differ in that.
      await vi.waitFor(async () => {
        const answer = await fetch(new URL('/v1/audit/export?act=job.submit', server.url), {
          headers: owner,
        });
        expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
        const lines = (await answer.text()).trimEnd().split('\n');
        expect(lines.map((line) => JSON.parse(line))).toMatchObject(await read('?act=job.submit'));
      }, 10_000);
    });

    it('is one organization’s own, and not for its members or keys', async () => {
      const stranger = await newPerson(server);
      const { body } = await stranger.call('GET', '/v1/audit?limit=100');
      const organizations = new Set(
        body.items.map(({ organization_id }: Record<string, unknown>) => organization_id),
      );
      expect([...organizations]).toEqual([stranger.organizationId]);
      expect((await server.call('GET', '/v1/audit')).status).toBe(403);
      const member = await newMember(server, stranger, 'MEMBER');
      expect((await member.call('GET', '/v1/audit')).status).toBe(403);
    });

    it('has logins and refused passwords, and never the password or the address typed in', async () => {
      const person = await newPerson(server);
      const logIn = (email: string) =>
        server.call('POST', '/v1/auth/login', { body: { email, password: 'wrong password 1' } });
      expect((await logIn(person.email)).status).toBe(401);
      expect((await logIn('unknown@example.com')).status).toBe(401);
      // The answer does not wait for its row.
      const { body } = await vi.waitFor(async () => {
        const answer = await person.call('GET', '/v1/audit');
        expect(answer.body.items[0]).toMatchObject({
          act: 'password.refuse',
          target: String(person.userId),
          address: '127.0.0.1',
        });
        return answer;
      }, 20_000);
      expect(body.items[1]).toMatchObject({ act: 'user.log_in', actor_id: String(person.userId) });
      const rows = JSON.stringify(await server.core.store.audit.list({ ...ALL_ACTS, limit: 3 }));
      expect(rows).not.toMatch(/unknown@|wrong password/);
    });

    it('refuses a time that is none', async () => {
      for (const from of [
        '2026-11-21T23:59:60Z',
        '2026-11-21%0900:00:00Z',
        '0000-01-01T00:00:00Z',
      ]) {
        const { status } = await server.call('GET', `/v1/audit?from=${from}`, { headers: owner });
        expect(status).toBe(422);
      }
    });
  },
);
