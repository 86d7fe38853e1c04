import { expect, it } from 'vitest';
import { describeStores } from '../testing/describe-stores.ts';
import { seedOrganization } from '../testing/seed.ts';

describeStores('ciphertexts that were received', (stores) => {
  it('stay bound as long as a key may open them, by the clock of the database (D159)', async () => {
    const { boundCiphertexts } = await stores.open();
    const organizationId = await seedOrganization(stores);
    const bind = (hash: string, keptMs: number) =>
      boundCiphertexts.bind({
        organizationId,
        target: null,
        uses: [{ hash, field: 'password' }],
        keptMs,
      });
    await bind('over', 0);
    await bind('kept', 60_000);
    while (await boundCiphertexts.purge());
    expect(await stores.execute('select hash from bound_ciphertexts')).toEqual([{ hash: 'kept' }]);
  });

  it('are deleted in parts, for the writers that wait meanwhile', async () => {
    const { boundCiphertexts } = await stores.open();
    await stores.execute(`insert into bound_ciphertexts (organization_id, hash, field, expires_at)
      with recursive count(n) as (select 1 union all select n + 1 from count where n < 501)
      select 1, cast(n as text), 'password', 0 from count`);
    expect(await boundCiphertexts.purge()).toBe(true);
    expect(await boundCiphertexts.purge()).toBe(false);
    expect(await stores.execute('select hash from bound_ciphertexts where expires_at = 0')).toEqual(
      [],
    );
  });
});
