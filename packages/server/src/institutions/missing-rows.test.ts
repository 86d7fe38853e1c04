import { demoCertificates, type Simulators, startSimulators } from '@changgu/simulators';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siEdi } from './si-edi/si-edi.ts';
import { taxPortal } from './tax-portal/tax-portal.ts';
import { changedHttp, withText } from './testing/changed-http.ts';
import { certificateCredential } from './testing/fake-call.ts';
import { walk } from './testing/portal-walk.ts';

const NOW = Date.parse('2026-11-21T12:00:00+09:00');
const NOTHING = '<tbody><tr><td colspan="9">조회된 내역이 없습니다.</td></tr></tbody>';

let simulators: Simulators;
beforeAll(async () => {
  simulators = await startSimulators({ now: () => NOW });
});
afterAll(() => simulators.close());

describe('a list that is empty although its total says otherwise', () => {
  it.each([
    [taxPortal, ['s1.login', 'c1.vat_standard'], 'c1.certificates_list', 'grdList'],
    [siEdi, ['auth.session.login'], 'b1.resources.faqs.list', 'board_list'],
    [siEdi, ['auth.session.login'], 'b1.resources.forms.list', 'board_list'],
    [siEdi, ['auth.session.login'], 'b1.resources.notices.institutions.list', 'board_list'],
  ] as const)('is a fault, never an empty result: %#', async (institution, before, name, table) => {
    let empties = false;
    const http = changedHttp((response) => {
      const isList = empties && response.text().includes(table);
      if (!isList) return response;
      return withText(response, response.text().replace(/<tbody>.*?<\/tbody>/s, NOTHING));
    });
    const credential = await certificateCredential(demoCertificates.corporation);
    const link = { credential };
    const { run } = walk({ simulators, institution, link, now: () => NOW, http });
    for (const action of before) await run(`${institution.provider}.${action}`);
    const list = `${institution.provider}.${name}`;
    expect((await run(list)).data.row_count).not.toBe(0);
    empties = true;
    await expect(run(list)).rejects.toMatchObject({ code: 'PROVIDER_UPSTREAM_ERROR' });
  });
});
