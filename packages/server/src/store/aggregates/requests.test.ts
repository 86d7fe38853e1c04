import { expect, it } from 'vitest';
import type { Actor } from '../../rules/principals/actor.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld } from '../testing/job-world.ts';

const actor: Actor = { kind: 'system', id: 'test', traceId: null };

describeStores('requests to operators', (stores) => {
  it('are listed with the name of who asks', async () => {
    const { store } = await createJobWorld(stores);
    const { userId, organizationId } = await store.users.register({
      email: 'asks@example.com',
      name: '홍길동',
      phone: null,
      passwordHash: 'hash',
      organizationName: '길동상회',
      businessNumber: null,
      traceId: null,
    });
    const { id } = await store.envAccess.request({
      organizationId,
      userId,
      reasonText: null,
      settings: { autoApprove: false, demoDays: 30 },
      actor,
    });
    const application = await store.integrators.submit({
      organizationId,
      userId,
      form: {
        companyName: '다른 이름',
        contactEmail: 'asks@example.com',
        useCaseText: null,
        expectedCustomerCount: null,
        requestedPlanCode: null,
      },
      reissue: null,
      actor,
    });
    const named = { organizationId, organizationName: '길동상회' };
    expect(await store.envAccess.list({ status: 'PENDING' })).toMatchObject([{ id, ...named }]);
    expect(await store.integrators.list({ organizationId })).toMatchObject([
      { id: application.id, ...named },
    ]);
  });
});
