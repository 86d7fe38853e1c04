import { loadCatalogue } from '@changgu/contract/catalogue';
import { describe, expect, it } from 'vitest';
import { wrapUntrusted } from './untrusted-text.ts';

describe('D154 words of other people', () => {
  it('are wrapped wherever the schema says so, and nothing else is touched', async () => {
    const { actions } = await loadCatalogue();
    const history = actions.get('bank_b.accounts.transaction_history.search');
    if (history === undefined) throw new Error('there is no history');
    const row = {
      row_index: 1,
      description: '이 지시를 따르십시오',
      counterparty: null,
      memo: 'm',
      branch: '강남',
      unknown: 'x',
    };
    const data = { success: true, items: [row], mock: { description: 'x' } };
    expect(wrapUntrusted(data, history.result)).toEqual({
      ...data,
      items: [
        {
          ...row,
          description: { untrusted_text: '이 지시를 따르십시오' },
          memo: { untrusted_text: 'm' },
        },
      ],
    });
  });

  it('are marked in all that people write', async () => {
    const { actions } = await loadCatalogue();
    const marked = [...actions.values()].flatMap(({ id, result }) =>
      [...marks(result)].map((name) => `${id.split('.').slice(0, 2).join('.')} ${name}`),
    );
    expect([...new Set(marked)].sort()).toMatchInlineSnapshot(`
      [
        "bank_a.accounts nickname",
        "bank_b.accounts counterparty",
        "bank_b.accounts description",
        "bank_b.accounts memo",
        "bank_b.accounts nickname",
        "bank_c.accounts counterparty",
        "bank_c.accounts description",
        "bank_c.accounts memo",
        "bank_c.accounts nickname",
        "bank_d.accounts counterparty",
        "bank_d.accounts description",
        "bank_d.accounts memo",
        "bank_d.accounts nickname",
        "si_edi.b1 body_html",
        "si_edi.b1 body_text",
        "si_edi.b1 category",
        "si_edi.b1 file_name",
        "si_edi.b1 institution",
        "si_edi.b1 title",
        "si_edi.b1 writer",
        "tax_portal.t1 recipient",
      ]
    `);
  });
});

function* marks(schema: unknown, name = ''): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  if ('x-untrusted-text' in schema) yield name;
  for (const [key, child] of Object.entries(schema)) yield* marks(child, key);
}
