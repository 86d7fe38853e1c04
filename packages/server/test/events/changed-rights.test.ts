import { operations } from '@changgu/contract/schemas';
import { describe, expect, it } from 'vitest';
import { route } from '../../src/http/route.ts';
import type { ClientPrincipal, ConsolePrincipal } from '../../src/rules/principals/principal.ts';
import { basic, CLIENT, testApp, VERIFIERS } from '../support/http-app.ts';

const ADMIN: ConsolePrincipal = {
  kind: 'console_user',
  id: '1',
  userId: 1,
  organizationId: 1,
  role: 'ADMIN',
  mustAddFactor: false,
  passwordEpoch: 1,
  session: { id: 's', expiresAt: 1_000, csrfToken: null, vouched: null },
};

const TOKEN: ClientPrincipal = { ...CLIENT, scopes: ['jobs:read', 'links:read'] };

/** Whether an answer that began with the first rights continues with the second. */
async function goesOn(authorization: string, first: object, second: object): Promise<boolean> {
  let principal = first;
  const read = async () => principal as never; // As the one verifier that the credentials reach.
  const app = testApp({ verifiers: { ...VERIFIERS, bearer: read, client: read } });
  let admitted: boolean | undefined;
  route(app, operations.events.listEvents, async ({ stillAdmitted }) => {
    principal = second;
    admitted = await stillAdmitted();
    return { status: 200, body: { items: [], next_cursor: null } };
  });
  const { statusCode } = await app.fastify.inject({
    url: '/v1/events',
    headers: { authorization },
  });
  expect(statusCode).toBe(200);
  return admitted === true;
}

describe('a long answer', () => {
  it('continues while its caller keeps the rights with which it began', async () => {
    const later = { ...ADMIN.session, expiresAt: 2_000 };
    expect(await goesOn('Bearer console', ADMIN, { ...ADMIN, session: later })).toBe(true);
    expect(await goesOn(basic(), TOKEN, { ...TOKEN, scopes: [...(TOKEN.scopes ?? [])] })).toBe(
      true,
    );
  });

  it('ends when its caller gets another role or organization (D86)', async () => {
    for (const changed of [{ role: 'MEMBER' }, { role: 'OWNER' }, { organizationId: 2 }]) {
      expect(await goesOn('Bearer console', ADMIN, { ...ADMIN, ...changed })).toBe(false);
    }
  });

  it('ends when its key or token is limited to less (D86)', async () => {
    for (const changed of [
      { scopes: ['jobs:read'] },
      { allowedEnvScopes: ['sandbox'] },
      { allowedActions: ['bank_a.*'] },
    ]) {
      expect(await goesOn(basic(), TOKEN, { ...TOKEN, ...changed })).toBe(false);
    }
  });
});
