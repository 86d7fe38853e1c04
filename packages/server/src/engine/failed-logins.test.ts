import { loadCatalogue } from '@changgu/contract/catalogue';
import { beforeAll, expect, it } from 'vitest';
import { builtInConnectors } from '../institutions/built-in.ts';
import type { Store } from '../store/database.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { openRunHarness } from './testing/run-harness.ts';

const LOGINS = [
  ['tax_portal.s1.login', 'CREDENTIAL_INVALID'],
  ['si_edi.auth.session.login', 'CREDENTIAL_INVALID'],
  ['employment.auth.npki_session.login', 'EMPLOYMENT_LOGIN_FAILED'],
] as const;

describeStores('a login without a certificate', (stores) => {
  let store: Store;
  beforeAll(async () => {
    store = await stores.open();
  });

  it.each(LOGINS)(
    '%s is accepted and ends in %s, which may be retried after one was registered (D21, D51)',
    async (action, code) => {
      const harness = await openRunHarness(stores, store);
      const { actions } = await loadCatalogue();
      for (const [id, connector] of builtInConnectors(actions.values())) {
        harness.connect(id, connector);
      }
      const { status, error } = await harness.run({ action });
      expect([status, error]).toMatchObject(['FAILED', { code, retryable: true }]);
    },
  );
});
