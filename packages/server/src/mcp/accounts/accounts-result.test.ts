import { loadCatalogue } from '@changgu/contract/catalogue';
import { describe, expect, it, vi } from 'vitest';
import { modelTokens } from '../../../../contract/test/model-tokens.ts';
import { ServiceError } from '../../rules/service-error.ts';
import type { ToolCall } from '../tools/arguments.ts';
import { accountsResult } from './accounts-result.ts';
import { openedState } from './accounts-state.ts';
import { caller, line, response } from './testing/call-parts.ts';

const COUNT = 3_000;
const IDS = Array.from(
  { length: COUNT },
  (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
);
const CALL: ToolCall = {
  accountLinkId: null,
  params: { from_date: '20261101', to_date: '20261130' },
  encryptedFields: {},
  accounts: { ids: null },
  idempotencyKey: 'month-end',
  isFreedByFailure: true,
  view: {},
  confirmToken: null,
};

async function accountAction() {
  const { actions } = await loadCatalogue();
  const action = [...actions.values()].find(({ selectsAccount }) => selectsAccount);
  if (!action) throw new Error('no action');
  return action;
}

async function answerTo(call: ToolCall) {
  const action = await accountAction();
  const state = openedState(response(IDS.map((id) => line(id, 'NOT_SUBMITTED'))));
  // A line without a job reads nothing.
  const dependencies = { institutions: [] } as unknown as Parameters<typeof accountsResult>[0];
  const { structuredContent } = await accountsResult(dependencies, caller, { action, call, state });
  return JSON.parse(JSON.stringify(structuredContent));
}

it('shows the other accounts where the job of one cannot be read (D126)', async () => {
  const action = await accountAction();
  const onFailure = vi.fn();
  const find = async ({ jobId }: { readonly jobId: string }) => {
    if (jobId === 'job of b') throw new Error('does not open');
    const ended = {
      id: jobId,
      status: 'CANCELED',
      action: action.id,
      submittedAt: 0,
      startedAt: 0,
    };
    return { ...ended, finishedAt: 0 };
  };
  const dependencies = {
    store: { jobs: { find } },
    submissions: { rules: { findAction: () => action } },
    institutions: [],
  } as unknown as Parameters<typeof accountsResult>[0];
  const state = openedState(response([line('a', 'CANCELED'), line('b', 'SUCCEEDED')]));
  const { structuredContent } = await accountsResult(
    dependencies,
    { ...caller, onFailure },
    { action, call: CALL, state },
  );
  expect(structuredContent).toMatchObject({
    accounts: [
      { status: 'CANCELED', error: { code: 'JOB_CANCELED' } },
      {
        job_id: 'job of b',
        status: 'RUNNING',
        result_tool_call: { arguments: { job_id: 'job of b' } },
      },
    ],
  });
  expect(onFailure).toHaveBeenCalled();
});

it('reads no further line once the store is away (D126)', async () => {
  const action = await accountAction();
  const asked: string[] = [];
  const find = async ({ jobId }: { readonly jobId: string }) => {
    asked.push(jobId);
    throw new ServiceError('SERVICE_UNAVAILABLE');
  };
  const dependencies = {
    store: { jobs: { find } },
    institutions: [],
  } as unknown as Parameters<typeof accountsResult>[0];
  const state = openedState(response(IDS.slice(0, 30).map((id) => line(id, 'RUNNING'))));
  const { structuredContent } = await accountsResult(dependencies, caller, {
    action,
    call: CALL,
    state,
  });
  const { accounts } = JSON.parse(JSON.stringify(structuredContent));
  expect(accounts.length).toBeGreaterThan(20);
  // Those that were read at once.
  expect(asked.length).toBeLessThan(10);
});

describe('an answer on 3,000 accounts', () => {
  it('comes in parts of at most 8,000 tokens, each account once and the sums complete', async () => {
    const seen: string[] = [];
    let call = CALL;
    for (;;) {
      const answer = await answerTo(call);
      expect(modelTokens(answer)).toBeLessThanOrEqual(8_000);
      expect(answer.summary).toBe('계좌 3000개: 제출되지 않음 3000');
      const ids = answer.accounts.map(
        (one: { bank_account_credential_id: string }) => one.bank_account_credential_id,
      );
      expect(answer.next.tool_call.arguments.bank_account_credential_ids).toEqual(ids);
      seen.push(...ids);
      if (!answer.next_page) break;
      const { all_accounts, request_id, view } = answer.next_page.tool_call.arguments;
      expect({ all_accounts, request_id }).toEqual({ all_accounts: true, request_id: 'month-end' });
      call = { ...CALL, view };
    }
    expect(seen).toEqual(IDS);
  });

  it('names the next of the accounts that were named, and how many it leaves out', async () => {
    const answer = await answerTo({ ...CALL, accounts: { ids: IDS } });
    expect(modelTokens(answer)).toBeLessThanOrEqual(8_000);
    const { bank_account_credential_ids: ids, view } = answer.next_page.tool_call.arguments;
    expect(ids[0]).toBe(IDS[answer.accounts.length]);
    expect(view).toEqual({ cursor: 0 });
    const left = COUNT - answer.accounts.length - ids.length;
    expect(answer.next_page.message).toContain(`tool_call에 없는 ${left}개`);
  });
});
