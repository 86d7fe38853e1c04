import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { openBehindTheStore, transactionBehind } from '../testing/behind-the-store.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { consoleUser, registerOwner } from '../testing/seed.ts';
import { consentScripts } from './consents.ts';

const ACTS = 200;

describeStores('consents', (stores) => {
  it('reads the last act of each type and none of the earlier ones, of which there may be many (D94)', async () => {
    const store = await stores.open();
    const { consents } = store;
    const { userId, organizationId } = await registerOwner(store, 'a@example.com');
    const actor = consoleUser(userId);
    const marketing = { organizationId, userId, consentType: 'MARKETING', actor } as const;
    await consents.record({ ...marketing, consentType: 'TERMS_OF_SERVICE', action: 'REVOKE' });
    for (let n = 0; n < ACTS; n += 1) await consents.record({ ...marketing, action: 'GRANT' });
    const isBlocked = async () =>
      (await stores.execute('select consent_blocked from organizations'))[0]?.consent_blocked;
    expect(await isBlocked()).toBe(1);

    const sent: CompiledQuery[] = [];
    const db = openBehindTheStore(await stores.url(), (statement) => sent.push(statement));
    const tx = transactionBehind(db, stores.dialect);
    await consentScripts.record.run(tx, { ...marketing, action: 'REVOKE' });
    expect(await isBlocked()).toBe(1);
    const reads = sent.filter(({ sql }) => /^select .* from "?consents\b/.test(sql));
    const rows: unknown[] = [];
    const plans: unknown[] = [];
    for (const { sql, parameters } of reads) {
      const run = (text: string) => db.executeQuery(CompiledQuery.raw(text, [...parameters]));
      rows.push(...(await run(sql)).rows);
      if (stores.dialect === 'sqlite') plans.push(...(await run(`explain query plan ${sql}`)).rows);
    }
    await db.destroy();
    // Terms and privacy since the registration, and marketing.
    expect(rows).toHaveLength(3);
    for (const plan of plans) {
      expect(plan).toMatchObject({
        detail: expect.stringContaining('(organization_id=? AND consent_type=?)'),
      });
    }

    await consents.record({ ...marketing, consentType: 'TERMS_OF_SERVICE', action: 'GRANT' });
    expect(await isBlocked()).toBe(0);
  });
});
