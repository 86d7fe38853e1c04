import type { Store } from '../database.ts';

/** All jobs of an access, for tests that name only the conditions they mean. */
export const ALL_JOBS: Omit<Parameters<Store['jobs']['list']>[0], 'access' | 'limit'> = {
  statuses: [],
  provider: null,
  accountLinkId: null,
  action: null,
  submittedFrom: null,
  submittedBefore: null,
  text: null,
  idempotencyKey: null,
  beforeSeq: null,
  fromSeq: null,
};

/** All rows of the audit log, likewise. */
export const ALL_ACTS: Omit<Parameters<Store['audit']['list']>[0], 'limit'> = {
  organizationId: null,
  act: null,
  actorId: null,
  target: null,
  from: null,
  until: null,
  before: null,
};
