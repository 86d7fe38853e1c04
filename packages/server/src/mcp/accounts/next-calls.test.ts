import { describe, expect, it } from 'vitest';
import { openedState } from './accounts-state.ts';
import { nextOf } from './next-calls.ts';
import { line, response } from './testing/call-parts.ts';

const callFor = (ids: readonly string[]) => ({
  name: 'tool',
  arguments: { bank_account_credential_ids: ids },
});
const PAGE = { tool_call: { name: 'tool', arguments: { view: { cursor: 2 } } }, message: 'page' };

function nextAfter(statuses: Parameters<typeof line>[1][]) {
  const lines = statuses.map((status, at) => line(`${at}`, status));
  const further = { lines: lines.slice(2), page: lines.length > 2 ? PAGE : undefined };
  return nextOf(callFor, lines.slice(0, 2), further, openedState(response(lines)), 'en');
}

describe('the call for accounts that remain (D134)', () => {
  it('names the shown ones, whatever is further down', () => {
    const next = nextAfter(['SUCCEEDED', 'NOT_SUBMITTED', 'NOT_SUBMITTED']);
    expect(next?.tool_call).toEqual(callFor(['1']));
  });

  it('shows those further down when none of the shown ones remains', () => {
    const next = nextAfter(['SUCCEEDED', 'QUEUED', 'SUCCEEDED', 'NOT_SUBMITTED']);
    expect(next?.tool_call).toBe(PAGE.tool_call);
    expect(next?.message).toContain('1 of the next accounts');
  });

  it('is null when nothing remains', () => {
    expect(nextAfter(['SUCCEEDED', 'FAILED', 'SUCCEEDED'])).toBeNull();
    expect(nextAfter(['SUCCEEDED', 'FAILED'])).toBeNull();
  });
});
