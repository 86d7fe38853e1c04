import { loadCatalogue } from '@changgu/contract/catalogue';
import type { JobReadResponse } from '@changgu/contract/schemas';
import { expect, it, vi } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import { caller, job } from './accounts/testing/call-parts.ts';
import { callOneJob } from './call-one-job.ts';
import type { Caller } from './caller.ts';
import type { ToolCall } from './tools/arguments.ts';

const CALL: ToolCall = {
  accountLinkId: null,
  params: {},
  encryptedFields: {},
  accounts: null,
  idempotencyKey: 'month-end',
  isFreedByFailure: false,
  view: {},
  confirmToken: null,
};

const away = () => Promise.reject(new ServiceError('SERVICE_UNAVAILABLE'));
const unreadable = () => Promise.reject(new Error('does not open'));

/** Calls an action whose submission is accepted; nothing else happens but this. */
async function call(
  waits: { readonly waitForChange: () => Promise<JobReadResponse> },
  find: () => Promise<never>,
  as: Caller,
) {
  const { actions } = await loadCatalogue();
  const action = actions.get('bank_b.accounts.list');
  if (action === undefined) throw new Error('no action');
  const accepted = { id: 'job_1', status: 'QUEUED', submittedAt: 0 };
  const dependencies = {
    submissions: {
      store: { jobs: { submit: async () => ({ kind: 'created', job: accepted }) } },
      rules: {
        findAction: () => action,
        checkParams: () => [],
        product: async () => ({ versionId: null, resultSchema: 'x', retired: false }),
        isConfigured: () => true,
        linkPurpose: () => null,
        laneScope: () => 'sandbox',
      },
    },
    waits,
    results: { store: { results: { find } } },
    institutions: [],
  } as unknown as Parameters<typeof callOneJob>[0];
  const told: string[] = [];
  const answer = await callOneJob(dependencies, as, action, CALL, {
    progress: {
      report: async (_done, _total, message) => {
        told.push(message);
      },
    },
    patience: { left: () => 1_000, stopped: caller.stopWaiting },
  });
  return { answer, told };
}

it.each([
  ['the job cannot be watched', away, away, 0],
  ['its result cannot be read', async () => job('job_1', 'SUCCEEDED'), unreadable, 1],
])('a call that submitted names its job when %s (D126)', async (_, waitForChange, find, logged) => {
  const onFailure = vi.fn();
  const { answer } = await call({ waitForChange }, find, { ...caller, onFailure });
  expect(answer.isError ?? false).toBe(false);
  expect(answer.structuredContent).toMatchObject({
    job_id: 'job_1',
    status: 'QUEUED',
    result_tool_call: { name: 'changgu__job__result', arguments: { job_id: 'job_1' } },
  });
  expect(onFailure).toHaveBeenCalledTimes(logged);
});

it('a call that waits tells no more of the progress once its key is revoked (D98)', async () => {
  let changes = 0;
  const waitForChange = async () => {
    changes += 1;
    const state = job('job_1', changes < 3 ? 'RUNNING' : 'SUCCEEDED');
    return { ...state, progress_message: `step ${changes}` };
  };
  const thief = { ...caller, stillAdmitted: async () => changes === 1 };
  const { answer, told } = await call({ waitForChange }, unreadable, thief);
  expect(answer.structuredContent).toMatchObject({ job_id: 'job_1', status: 'QUEUED' });
  expect(told).toEqual([expect.stringContaining('job_1'), 'step 1']);
});
