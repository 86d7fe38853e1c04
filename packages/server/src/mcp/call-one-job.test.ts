import { loadCatalogue } from '@changgu/contract/catalogue';
import { expect, it, vi } from 'vitest';
import { ServiceError } from '../rules/service-error.ts';
import { caller, job } from './accounts/testing/call-parts.ts';
import { callOneJob } from './call-one-job.ts';
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

it.each([
  ['the job cannot be watched', away, away, 0],
  ['its result cannot be read', async () => job('job_1', 'SUCCEEDED'), unreadable, 1],
])('a call that submitted names its job when %s (D126)', async (_, waitForChange, find, logged) => {
  const { actions } = await loadCatalogue();
  const action = actions.get('bank_b.accounts.list');
  if (action === undefined) throw new Error('no action');
  const accepted = { id: 'job_1', status: 'QUEUED', submittedAt: 0 };
  // What a submission needs to be accepted, and nothing else.
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
    waits: { waitForChange },
    results: { store: { results: { find } } },
    institutions: [],
  } as unknown as Parameters<typeof callOneJob>[0];
  const onFailure = vi.fn();
  const answer = await callOneJob(dependencies, { ...caller, onFailure }, action, CALL, {
    progress: { report: async () => undefined },
    patience: { left: () => 1_000, stopped: caller.stopWaiting },
  });
  expect(answer.isError ?? false).toBe(false);
  expect(answer.structuredContent).toMatchObject({
    job_id: 'job_1',
    status: 'QUEUED',
    result_tool_call: { name: 'changgu__job__result', arguments: { job_id: 'job_1' } },
  });
  expect(onFailure).toHaveBeenCalledTimes(logged);
});
