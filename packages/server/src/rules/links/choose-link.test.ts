import { describe, expect, it } from 'vitest';
import { chooseLink, type LinkFacts } from './choose-link.ts';

const SANDBOX = {
  envScope: 'sandbox',
  provider: 'bank_b',
  link: 'required',
  accountLinkId: null,
  linkPurpose: null,
} as const;

const primary = (id: string, purpose: LinkFacts['purpose']): LinkFacts => ({
  id,
  provider: 'bank_b',
  isPrimary: true,
  purpose,
  ownerKind: null,
  status: 'ACTIVE',
  accountId: null,
});

describe('the link of a submission that names none', () => {
  const [real, test] = [primary('r', 'real'), primary('t', 'test')];

  it('is the representative one for tests where any purpose will do, however they are read (D102)', () => {
    const before = primary('n', null);
    for (const rows of [
      [real, test, before],
      [before, real, test],
      [test, before, real],
    ]) {
      expect(chooseLink(rows, SANDBOX)).toMatchObject({ kind: 'chosen', id: 't' });
    }
  });

  it('is the only representative one, whatever its purpose (D102)', () => {
    const other = { ...test, isPrimary: false };
    expect(chooseLink([other, real], SANDBOX)).toMatchObject({ kind: 'chosen', id: 'r' });
  });
});
