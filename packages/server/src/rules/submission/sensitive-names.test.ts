import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sensitiveNames } from './sensitive-names.ts';

describe('sensitive names (D33)', () => {
  it('finds them at any depth and says where they are (R58)', () => {
    expect(sensitiveNames({ a: { api_key: 1 } })[0]?.loc).toEqual([
      'body',
      'params',
      'a',
      'api_key',
    ]);
    expect(sensitiveNames({ list: [{ ok: 1 }, { ssn: 'x' }] })[0]?.loc).toEqual([
      'body',
      'params',
      'list',
      1,
      'ssn',
    ]);
    expect(sensitiveNames({ businessNo: '1' })).toEqual([]);
  });

  it('finds a planted name whatever surrounds it (R57)', () => {
    const harmless = fc.constantFrom('a', 'no', 'businessNo', 'items', 'from_date');
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(harmless, tie('node'), { maxKeys: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(tree, harmless, (value, key) => {
        expect(sensitiveNames({ [key]: value })).toEqual([]);
        const planted = sensitiveNames({ [key]: [value, { account_password: value }] });
        expect(planted.map(({ loc }) => loc)).toEqual([
          ['body', 'params', key, 1, 'account_password'],
        ]);
      }),
    );
  });
});
