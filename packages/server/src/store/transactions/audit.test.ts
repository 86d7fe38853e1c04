import { expect, it } from 'vitest';
import type { Actor } from '../../rules/principals/actor.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { ALL_ACTS } from '../testing/no-filter.ts';
import { notUnique } from '../testing/not-unique.ts';
import { seedOrganization } from '../testing/seed.ts';

const actor: Actor = { kind: 'admin_user', id: '7', traceId: 'trc_1' };

describeStores('the audit log', (stores) => {
  it('records an act with its actor, and nothing of an act that failed', async () => {
    const store = await stores.open();
    const organizationId = await seedOrganization(stores);
    const limits = { expiresAt: null, allowedAddresses: null };
    const key = { ...limits, organizationId, envScope: 'sandbox', label: 'l', actor } as const;
    await store.legacyApiKeys.issue({ ...key, id: 'lak_1', keyHash: 'h1' });
    // The same hash again: the insert fails, and its act with it.
    await expect(store.legacyApiKeys.issue({ ...key, id: 'lak_2', keyHash: 'h1' })).rejects.toEqual(
      notUnique(stores),
    );
    const rows = await store.audit.list({ ...ALL_ACTS, organizationId, limit: 10 });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ act: 'legacy_api_key.issue', target: 'lak_1', actor });
  });

  it.each(["update audit set act = 'nothing'", 'delete from audit'])(
    'the database refuses to %s',
    async (statement) => {
      await expect(stores.execute(statement, [])).rejects.toThrow('append-only');
    },
  );
});
