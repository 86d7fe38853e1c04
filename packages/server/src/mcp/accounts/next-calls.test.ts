import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../tools/arguments.ts';
import { openedState } from './accounts-state.ts';
import { nextOf, pageCalls } from './next-calls.ts';
import { line, response } from './testing/call-parts.ts';

const callFor = (ids: readonly string[]) => ({
  name: 'tool',
  arguments: { bank_account_credential_ids: ids },
});

type Statuses = Parameters<typeof line>[1][];

/** Of a call on these accounts, of which the first two are shown. */
function nextAfter(statuses: Statuses, accounts: ToolCall['accounts'] = { ids: null }) {
  const lines = statuses.map((status, at) => line(`${at}`, status));
  const state = openedState(response(lines));
  const call = { accounts, view: {}, idempotencyKey: 'key' } as unknown as ToolCall;
  const pageFrom = pageCalls((given) => ({ name: 'tool', arguments: given }), call, state);
  return nextOf(callFor, pageFrom, { lines, cursor: 0, shown: 2 }, state, 'en');
}

describe('the call for accounts that remain (D134)', () => {
  it('names the shown ones, whatever is further down', () => {
    const next = nextAfter(['SUCCEEDED', 'NOT_SUBMITTED', 'NOT_SUBMITTED']);
    expect(next?.tool_call).toEqual(callFor(['1']));
  });

  it('shows those further down when none of the shown ones remains', () => {
    const next = nextAfter(['SUCCEEDED', 'QUEUED', 'SUCCEEDED', 'NOT_SUBMITTED']);
    const shows = { all_accounts: true, view: { cursor: 3 }, request_id: 'key' };
    expect(next?.tool_call.arguments).toEqual(shows);
    expect(next?.message).toContain('From account 4 of 4 on');
  });

  it('reaches the last of many that were named, and says what it leaves out', () => {
    const many = Array.from({ length: 200 }, (): Statuses[number] => 'SUCCEEDED');
    const ids = many.map((_, at) => `${at}`);
    const last = nextAfter([...many.slice(1), 'NOT_SUBMITTED'], { ids });
    expect(last?.tool_call.arguments).toMatchObject({ bank_account_credential_ids: ['199'] });
    const rest = Array.from({ length: 100 }, (): Statuses[number] => 'NOT_SUBMITTED');
    const first = nextAfter([...many.slice(100), ...rest], { ids });
    expect(first?.tool_call.arguments.bank_account_credential_ids).toContain('100');
    expect(first?.message).toContain('the 80 accounts that tool_call leaves out');
  });

  it('is null when nothing remains', () => {
    expect(nextAfter(['SUCCEEDED', 'FAILED', 'SUCCEEDED'])).toBeNull();
    expect(nextAfter(['SUCCEEDED', 'FAILED'])).toBeNull();
  });
});
