import { createSecretKey } from 'node:crypto';
import { loadCatalogue } from '@changgu/contract/catalogue';
import { describe, expect, it } from 'vitest';
import { createUrlSigner } from '../crypto/signed-url.ts';
import { caller } from './accounts/testing/call-parts.ts';
import { agreementTo } from './confirm-act.ts';
import type { ToolCall } from './tools/arguments.ts';

const SIGNER = createUrlSigner(() => [
  { id: 'test', secret: createSecretKey(Buffer.alloc(32, 7)) },
]);

const CALL: ToolCall = {
  accountLinkId: null,
  params: { from_date: '20261101' },
  encryptedFields: {},
  accounts: { ids: null },
  idempotencyKey: 'month-end',
  isFreedByFailure: true,
  view: {},
  confirmToken: null,
};

async function agreement(call: ToolCall) {
  const { actions } = await loadCatalogue();
  const search = [...actions.values()].find(({ selectsAccount }) => selectsAccount);
  if (!search) throw new Error('no action');
  // A call on several accounts is summed up without reading anything, and submits nothing.
  const dependencies = {
    store: { clock: { now: async () => Date.parse('2026-11-23T00:00:00Z') } },
    urlSigner: SIGNER,
    institutions: [],
  } as unknown as Parameters<typeof agreementTo>[0];
  // Of a caller that cannot be asked.
  const context = { mcpReq: {} } as unknown as Parameters<typeof agreementTo>[4];
  // No institution of ours has an irreversible act on several accounts; one of a team may.
  const act = { ...search, irreversible: true };
  return agreementTo(dependencies, { ...caller, envScope: 'real_test' }, act, call, context);
}

describe('an act on all accounts that cannot be undone (D169)', () => {
  it('is agreed to first, for exactly these accounts', async () => {
    const asked = await agreement(CALL);
    if (asked.kind !== 'confirm') throw new Error(asked.kind);
    expect(asked.summary).toContain('등록된 계좌 전부');
    const confirmed = { ...CALL, confirmToken: asked.confirmToken };
    expect(await agreement(confirmed)).toMatchObject({ kind: 'agreed' });
    const other = { ...confirmed, accounts: { ids: ['a'] } };
    expect(await agreement(other)).toEqual({ kind: 'token_invalid' });
  });
});
