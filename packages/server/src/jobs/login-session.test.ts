import { beforeAll, expect, it } from 'vitest';
import { PORTAL_SESSION_IDLE_MS } from '../rules/jobs/session-idle.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { createJobWorld, type JobWorld } from '../store/testing/job-world.ts';
import { hasOpenSession } from './login-session.ts';

const TOGETHER = { production: 'https://bank.test', realTest: 'https://bank.test' };
const APART = { production: 'https://bank.test', realTest: 'https://test.bank.test' };
const MINUTE = 60_000;

describeStores('the session of a login job', (stores) => {
  let world: JobWorld;
  let organizationId: number;
  let accountLinkId: string;
  let jobId: string;
  beforeAll(async () => {
    world = await createJobWorld(stores);
    organizationId = await world.organization();
    accountLinkId = await world.link(organizationId, 'tax_portal');
    const action = 'tax_portal.s1.login';
    jobId = await world.submit({ organizationId, linkId: accountLinkId, action });
  });

  const isOpen = (origins: typeof TOGETHER, idleMs = PORTAL_SESSION_IDLE_MS) =>
    hasOpenSession(
      { store: world.store, addresses: { origins: () => origins }, sessionIdleMs: () => idleMs },
      { organizationId, envScope: 'real_test', submittedBy: null },
      jobId,
    );

  it("is production's where both environments share a site (D160)", async () => {
    const state = new Uint8Array([1]);
    const session = { organizationId, accountLinkId, envScope: 'production' as const, state };
    await world.store.portalSessions.write(session);
    expect([await isOpen(TOGETHER), await isOpen(APART)]).toEqual([true, false]);
  });

  it('is open for as long as its institution keeps a login without requests (D80)', async () => {
    await world.store.clock.advance({ seconds: 10 * 60 });
    expect(await isOpen(TOGETHER)).toBe(true);
    expect(await isOpen(TOGETHER, 5 * MINUTE)).toBe(false);
    await world.store.clock.advance({ seconds: 30 * 60 });
    expect(await isOpen(TOGETHER)).toBe(false);
    expect(await isOpen(TOGETHER, 60 * MINUTE)).toBe(true);
  });
});
