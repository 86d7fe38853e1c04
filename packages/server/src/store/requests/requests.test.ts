import { expect, it } from 'vitest';
import type { Actor } from '../../rules/principals/actor.ts';
import { describeStores } from '../testing/describe-stores.ts';
import { createJobWorld } from '../testing/job-world.ts';
import { registerOwner } from '../testing/seed.ts';

const actor: Actor = { kind: 'system', id: 'test', traceId: null };

const form = {
  companyName: '다른 이름',
  contactEmail: 'asks@example.com',
  useCaseText: null,
  expectedCustomerCount: null,
  requestedPlanCode: null,
};

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
      origin: { traceId: null },
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
      form,
      reissue: null,
      actor,
    });
    const named = { organizationId, organizationName: '길동상회' };
    expect(await store.envAccess.list({ organizationId: null, status: 'PENDING' })).toMatchObject([
      { id, ...named },
    ]);
    expect(await store.integrators.list({ organizationId, status: null })).toMatchObject([
      { id: application.id, ...named },
    ]);
  });

  it('wait in their order, and no organization fills the list (D91, D92)', async () => {
    const { store } = await createJobWorld(stores);
    const [first, greedy, last] = [
      await registerOwner(store, 'first@queue.example'),
      await registerOwner(store, 'greedy@queue.example'),
      await registerOwner(store, 'last@queue.example'),
    ];
    const owners = [first, greedy, last];
    const settings = { autoApprove: false, demoDays: 30 };
    for (const owner of owners) {
      await store.envAccess.request({ ...owner, reasonText: null, settings, actor });
    }
    const submit = (owner: typeof first) =>
      store.integrators.submit({ ...owner, form, reissue: null, actor });
    await submit(first);
    const ids = [];
    for (let n = 0; n < 50; n += 1) ids.push((await submit(greedy)).id);
    await expect(submit(greedy)).rejects.toMatchObject({ code: 'POLICY_LIMIT_REACHED' });
    await submit(last);
    const mine = new Set(owners.map(({ organizationId }) => organizationId));
    const waiting = async () =>
      (await store.integrators.list({ organizationId: null, status: 'SUBMITTED' }))
        .map(({ organizationId }) => organizationId)
        .filter((id) => mine.has(id));
    const { organizationId: id } = greedy;
    const places = Array.from({ length: 50 }, () => id);
    expect(await waiting()).toEqual([first.organizationId, ...places, last.organizationId]);
    const decision = { decision: 'REJECTED', note: null, actor } as const;
    await store.integrators.decide({ id: ids[0] ?? 0, ...decision });
    await expect(submit(greedy)).resolves.toMatchObject({ status: 'SUBMITTED' });
    const pending = await store.envAccess.list({ organizationId: null, status: 'PENDING' });
    expect(
      pending.map(({ organizationId }) => organizationId).filter((each) => mine.has(each)),
    ).toEqual([...mine]);
  });
});
