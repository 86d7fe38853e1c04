import { expect, it } from 'vitest';
import { executeDueDeletions, maintainOrganizations } from './maintain.ts';

type Dependencies = Parameters<typeof maintainOrganizations>[0];

/** A store in which there is always more to do, but for some of the deletions. */
function endless(called: (script: string) => void, deletions: object = {}): Dependencies {
  const more = (script: string) => async () => {
    called(script);
    return true;
  };
  return {
    store: {
      deletions: {
        due: async () => ['del_1', 'del_2'],
        closed: async () => [],
        begin: async () => ({ organizationId: 1 }),
        removeNextWebhook: async () => {
          called('removeNextWebhook');
          return 'whk_1';
        },
        wipeNextLink: more('wipeNextLink'),
        releaseJobs: async () => {
          called('releaseJobs');
          return 'more';
        },
        finish: async () => called('finish'),
        ...deletions,
      },
      webhookDeliveries: { removeLog: more('removeLog') },
      queuedJobs: {
        find: async () => [{ id: 'job_1' }, { id: 'job_2' }],
        cancel: async () => called('cancel'),
      },
      subscriptions: { endPeriods: more('endPeriods') },
      loginAttempts: { purge: more('loginAttempts') },
      oauthArtifacts: { purge: more('oauthArtifacts') },
      consoleSessions: { purge: more('consoleSessions') },
      oneTimeLinks: { purge: more('oneTimeLinks') },
      invitations: { purge: more('invitations') },
      passkeys: { purgeAttempts: more('passkeys') },
      signInAttempts: { purge: more('signInAttempts') },
      vouchedSessions: { purge: more('vouchedSessions') },
    },
    vault: {
      eraseOrganizationSecret: async () => called('erase'),
      forgetOrganizationKey: () => called('forget'),
    },
    // Only what this work calls, and of its answers only what it reads.
  } as unknown as Dependencies;
}

it('stops in the middle of a deletion and of a purge when it is told to', async () => {
  const calls: string[] = [];
  const maintain = async (deletions: object) => {
    const stop = new AbortController();
    const stopAt = (script: string) => {
      calls.push(script);
      stop.abort();
    };
    await maintainOrganizations(endless(stopAt, deletions), stop.signal);
  };
  const removeNextWebhook = async () => null;
  await maintain({});
  await maintain({ removeNextWebhook });
  await maintain({ removeNextWebhook, wipeNextLink: async () => false });
  await maintain({ due: async () => [], closed: async () => [] });
  expect(calls).toEqual(['removeNextWebhook', 'wipeNextLink', 'cancel', 'endPeriods']);
});

it('executes every other deletion and purge when one fails, and names it (D146)', async () => {
  const done: string[] = [];
  const dependencies = endless(() => {}, {
    closed: async () => [7, 8],
    begin: async (id: string) => ({ organizationId: id === 'del_1' ? 1 : 2 }),
    removeNextWebhook: async () => null,
    wipeNextLink: async () => false,
    releaseJobs: async () => 'done',
    finish: async ({ id }: { readonly id: string }) => done.push(id),
    discardKeys: async (id: number) => done.push(String(id)),
  });
  const maintained = maintainOrganizations({
    store: {
      ...dependencies.store,
      queuedJobs: { ...dependencies.store.queuedJobs, find: async () => [] },
      subscriptions: {
        ...dependencies.store.subscriptions,
        endPeriods: async () => {
          throw new Error('no connection');
        },
      },
      loginAttempts: {
        ...dependencies.store.loginAttempts,
        purge: async () => {
          done.push('loginAttempts');
          return false;
        },
      },
      oauthArtifacts: {
        ...dependencies.store.oauthArtifacts,
        purge: async () => done.push('oauthArtifacts') === 0,
      },
      consoleSessions: { ...dependencies.store.consoleSessions, purge: async () => false },
      oneTimeLinks: { ...dependencies.store.oneTimeLinks, purge: async () => false },
      invitations: { ...dependencies.store.invitations, purge: async () => false },
      passkeys: { ...dependencies.store.passkeys, purgeAttempts: async () => false },
      signInAttempts: { ...dependencies.store.signInAttempts, purge: async () => false },
      vouchedSessions: { ...dependencies.store.vouchedSessions, purge: async () => false },
    },
    vault: {
      ...dependencies.vault,
      eraseOrganizationSecret: async (id) => {
        if (id === '1' || id === '7') throw new Error('EACCES');
      },
    },
  });
  await expect(maintained).rejects.toMatchObject({
    failures: [{ part: 'deletion del_1' }, { part: 'organization 7' }, { part: 'subscriptions' }],
  });
  expect(done).toEqual(['del_2', '8', 'loginAttempts', 'oauthArtifacts']);
});

it('empties an organization with many batches of jobs in one go, so that its key does not outlive them (D146)', async () => {
  const batches = ['more', 'more', 'done'];
  const done: string[] = [];
  const { store, vault } = endless(() => {}, {
    due: async () => ['del_1'],
    removeNextWebhook: async () => null,
    wipeNextLink: async () => false,
    releaseJobs: async () => batches.shift(),
    finish: async () => done.push('finish'),
  });
  const queuedJobs = { ...store.queuedJobs, find: async () => [] };
  await executeDueDeletions({ store: { ...store, queuedJobs }, vault });
  expect([batches, done]).toEqual([[], ['finish']]);
});
