import { expect, it } from 'vitest';
import { describeStores } from '../testing/describe-stores.ts';

describeStores('a text with a NUL', (stores) => {
  it('is refused where PostgreSQL reads it in JSON, and finds nothing on SQLite', async () => {
    const store = await stores.open();
    const cancelling = store.unlink.cancelWaiting('\u0000');
    if (stores.dialect === 'sqlite') expect(await cancelling).toBe(false);
    else await expect(cancelling).rejects.toMatchObject({ code: 'VALIDATION_INVALID_FIELD' });
  });
});
