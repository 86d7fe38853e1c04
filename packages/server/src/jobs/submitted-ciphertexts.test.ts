import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  createCiphertextBinding,
  createCiphertextReceipt,
} from '../credentials/bound-ciphertexts.ts';
import type { Identities } from '../credentials/identity.ts';
import { describeStores } from '../store/testing/describe-stores.ts';
import { seedLink } from '../store/testing/seed.ts';
import { openJobHarness } from './testing/job-harness.ts';

const CIPHERTEXT = 'abcdefghijklmnop';

/** The harness keeps its keys in memory, and an identity key belongs to those of a database. */
const UNKEYED: Identities = {
  hash: async (_, { parts }) => createHash('sha256').update(parts.join()).digest('hex'),
};

describeStores('a ciphertext that a job brings', (stores) => {
  async function open() {
    const store = await stores.open();
    const harness = await openJobHarness(stores, store);
    const { organizationId, dependencies } = harness;
    const receive = createCiphertextReceipt(UNKEYED);
    const bind = createCiphertextBinding(store, receive);
    dependencies.receiveCiphertexts = receive;
    const [one, other] = [
      await seedLink(stores, organizationId, { primary: true }),
      await seedLink(stores, organizationId),
    ];
    return {
      harness,
      one,
      serves: async (field: string, link: string, ciphertext = CIPHERTEXT) =>
        (await bind(organizationId, { [field]: ciphertext }, link)) === null,
      other,
    };
  }

  it.each(['account_password', 'a_name_that_the_action_does_not_declare', 'na\u0000me'])(
    'as %j serves this field and the chosen link from then on, whether the job runs or not (D159)',
    async (field) => {
      const { harness, serves, one, other } = await open();
      const { response } = await harness.submit({
        envScope: 'real_test',
        encryptedFields: { [field]: CIPHERTEXT },
      });
      const access = harness.access('real_test');
      await harness.store.jobs.cancel({ access, jobId: response.job_id });
      expect(await serves('login_id', one)).toBe(false);
      expect(await serves(field, other)).toBe(false);
      expect(await serves(field, one)).toBe(true);
    },
  );

  it('is bound with the acceptance, although the process ends right after it (D159)', async () => {
    const { harness, serves, one, other } = await open();
    const { store, dependencies, submit } = harness;
    dependencies.store = {
      ...store,
      jobs: {
        ...store.jobs,
        async submit(submission) {
          await store.jobs.submit(submission);
          throw new Error('the process ended');
        },
      },
    };
    const ciphertexts = ['first+ciphertext', 'other+ciphertext'];
    const submitted = ciphertexts.map((ciphertext) =>
      submit({ envScope: 'real_test', encryptedFields: { account_password: ciphertext } }),
    );
    for (const { status } of await Promise.allSettled(submitted)) expect(status).toBe('rejected');
    for (const ciphertext of ciphertexts) {
      expect(await serves('account_password', other, ciphertext)).toBe(false);
      expect(await serves('account_password', one, ciphertext)).toBe(true);
    }
  });

  it('is kept also beside one that came for another field (D159)', async () => {
    const { harness, serves, one, other } = await open();
    const second = 'qrstuvwxyzabcdef';
    const submit = (encryptedFields: Readonly<Record<string, string>>) =>
      harness.submit({ envScope: 'real_test', encryptedFields });
    await submit({ memo: CIPHERTEXT });
    await submit({ account_password: CIPHERTEXT, login_id: second });
    expect(await serves('login_id', other, second)).toBe(false);
    expect(await serves('login_id', one, second)).toBe(true);
  });

  it('is bound by no job that is refused, and by none of sandbox (D159)', async () => {
    const { harness, serves, one, other } = await open();
    const encryptedFields = { account_password: CIPHERTEXT };
    const refused = harness.submit({
      envScope: 'real_test',
      encryptedFields,
      accountLinkId: '00000000-0000-4000-8000-000000000000',
    });
    await expect(refused).rejects.toMatchObject({ code: 'ACCOUNT_LINK_NOT_FOUND' });
    await harness.submit({ encryptedFields, accountLinkId: one });
    expect(await serves('account_password', other)).toBe(true);
  });
});
