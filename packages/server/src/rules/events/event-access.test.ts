import { expect, it } from 'vitest';
import { eventAccess } from './event-access.ts';

const LINK = '4f8f3c2a-6c1e-4b7e-9d55-0a2b3c4d5e6f';
const EVENT = {
  type: 'job.queued',
  envScope: 'sandbox',
  jobId: 'job_1',
  accountLinkId: LINK,
  data: {},
} as const;

it.each([
  [LINK, true],
  [LINK.toUpperCase(), true],
  [LINK.replace('4f', '5f'), false],
  ['none', false],
])('finds the events of a link by its id in either case: %s (D21)', (id, found) => {
  const reader = { kind: 'console_user', role: 'OWNER' } as const;
  expect(eventAccess(reader, { account_link_id: id })(EVENT)).toBe(found);
});

it.each([
  [['jobs:read'], false],
  [['jobs:read', 'links:read'], true],
  [null, true],
] as const)('shows a client with the scopes %j the events of links: %s (D167)', (scopes, shown) => {
  const allowedEnvScopes = ['sandbox'] as const;
  const reader = { kind: 'client', allowedEnvScopes, allowedActions: null, scopes } as const;
  const admits = eventAccess(reader, {});
  for (const type of ['link.suspended', 'link.unlinked', 'link.expiring'] as const) {
    expect([type, admits({ ...EVENT, type, jobId: null, envScope: null })]).toEqual([type, shown]);
  }
  expect(admits(EVENT)).toBe(true);
});
