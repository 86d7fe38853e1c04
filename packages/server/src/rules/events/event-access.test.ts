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
