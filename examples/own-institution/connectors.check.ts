/** Tests every action of connectors.ts against the contract of connectors: `node --test connectors.check.ts`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkConnector } from '@changgu/server/connector';
import { startPortal } from './portal.ts';

const module = fileURLToPath(new URL('./connectors.ts', import.meta.url));
const credential = { type: 'id_password', loginId: 'kim', loginPassword: 'union-pass' } as const;

let portal: Awaited<ReturnType<typeof startPortal>>;
before(async () => {
  portal = await startPortal();
});
after(() => portal.close());

for (const action of ['my_union.members.list', 'my_union.certificates.issue']) {
  void test(`${action} keeps the contract`, async () => {
    const findings = await checkConnector({
      module,
      action,
      baseUrl: portal.url,
      link: { credential },
      effects: async () => portal.issued(),
    });
    assert.deepEqual(
      findings.filter(({ kept }) => !kept),
      [],
    );
  });
}
