import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { InstitutionError } from '../institutions/institution-error.ts';
import type { LinkDraft } from '../store/links/save-links.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { openRunHarness } from './testing/run-harness.ts';

const READ = 'bank_b.accounts.list';
const actor = { kind: 'system', id: 'test', traceId: null } as const;

const LOGIN = {
  provider: 'bank_b',
  purpose: 'test',
  authType: 'id_password',
  identity: 'customer',
  certificate: null,
  ownerKind: null,
  primary: 'keep',
} as const satisfies Partial<LinkDraft>;

describeStores('a credential that the institution rejects', (stores) => {
  /** Two jobs of one link, which changes during the first: how often its password was sent. */
  async function loginsWith(change: Partial<LinkDraft>): Promise<number> {
    const store = await stores.open();
    const harness = await openRunHarness(stores, store);
    const { organizationId } = harness.jobs;
    const id = randomUUID();
    const save = (draft: Pick<LinkDraft, 'revision' | 'credential'>) =>
      store.accountLinks.save({ organizationId, drafts: [{ ...LOGIN, id, ...draft }], actor });
    await save({ revision: null, credential: Buffer.from('sealed') });
    let logins = 0;
    harness.connect(READ, async () => {
      logins += 1;
      if (logins === 1) await save({ revision: 1, credential: null, ...change });
      throw new InstitutionError('PROVIDER_CREDENTIAL_REJECTED');
    });
    for (let n = 0; n < 2; n += 1) {
      const { error } = await harness.run({ action: READ, accountLinkId: id });
      expect(error?.code).toBe('PROVIDER_CREDENTIAL_REJECTED');
    }
    return logins;
  }

  it('is not sent again when its link got another name meanwhile (D51)', async () => {
    expect(await loginsWith({ displayLabel: '급여계좌' })).toBe(1);
  });

  it('is not sent again when its link became primary meanwhile (D51)', async () => {
    expect(await loginsWith({ primary: 'set' })).toBe(1);
  });

  it('does not hold back the one that replaced it meanwhile (D51)', async () => {
    expect(await loginsWith({ credential: Buffer.from('replaced') })).toBe(2);
  });
});
