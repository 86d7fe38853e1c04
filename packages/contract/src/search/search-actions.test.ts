import { describe, expect, it, vi } from 'vitest';
import { loadCatalogue } from '../catalogue.ts';
import { KEYWORDS } from './keywords.ts';
import { searchActions } from './search-actions.ts';

const ACCOUNTS = /accounts\.list$/;
const BALANCE = /(quick_summary\.get|accounts\.list)$/;
const HISTORY = /transaction_history\.search$/;
const tax = (rest: string) => new RegExp(`^tax_portal\\.${rest.replaceAll('.', '\\.')}$`);
const edi = (rest: string) => new RegExp(`^si_edi\\.${rest.replaceAll('.', '\\.')}$`);

/** What a person might say to an agent, and the action that it means. */
const PHRASES: readonly (readonly [string, RegExp])[] = [
  ['통장', ACCOUNTS],
  ['내 통장 목록 보여줘', ACCOUNTS],
  ['보유 계좌', ACCOUNTS],
  ['C은행 계좌', /^bank_c\.accounts\.list$/],
  ['bank accounts', ACCOUNTS],
  ['잔액 얼마야', BALANCE],
  ['A은행에 얼마 남았어', /^bank_a\.accounts\.quick_summary\.get$/],
  ['account balance', BALANCE],
  ['거래내역', HISTORY],
  ['B은행 거래내역', /^bank_b\.accounts\.transaction_history\.search$/],
  ['이번 달 입출금', HISTORY],
  ['어제 입금됐는지 확인', HISTORY],
  ['통장 거래 조회', HISTORY],
  ['들어온 돈', HISTORY],
  ['bank c transactions', /^bank_c\.accounts\.transaction_history\.search$/],
  ['last month deposits', HISTORY],
  ['부가세', tax('c1.vat_standard')],
  ['부가세 증명 떼줘', tax('c1.vat_standard')],
  ['VAT certificate', tax('c1.vat_standard')],
  ['부가가치세 과세표준증명', tax('c1.vat_standard')],
  ['납세증명서', tax('c1.national_tax_payment')],
  ['국세 완납증명', tax('c1.national_tax_payment')],
  ['체납 없다는 서류', tax('c1.national_tax_payment')],
  ['tax clearance', tax('c1.national_tax_payment')],
  ['세금 낸 내역 증명', tax('c1.tax_payment_record')],
  ['납부내역증명', tax('c1.tax_payment_record')],
  ['사업자등록증명원', tax('c1.business_registration')],
  ['사업자 증명', tax('c1.business_registration')],
  ['business registration certificate', tax('c1.business_registration')],
  ['사업자등록증 재발급', tax('c1.business_registration_reissue')],
  ['사업자등록증을 잃어버렸어', tax('c1.business_registration_reissue')],
  ['휴업 증명', tax('c1.business_suspension')],
  ['폐업사실증명', tax('c1.business_closure')],
  ['재무제표', tax('c1.financial_statement')],
  ['손익계산서 증명', tax('c1.financial_statement')],
  ['소득금액증명', tax('c1.income_statement')],
  ['작년 소득 증명', tax('c1.income_statement')],
  ['종소세 증명', tax('c1.income_statement')],
  ['income certificate', tax('c1.income_statement')],
  ['홈택스 로그인', tax('s1.login')],
  ['국세청 로그인', tax('s1.login')],
  ['홈택스', tax('s1.user_info')],
  ['증명 발급 내역', tax('c1.certificates_list')],
  ['신청한 증명 목록', tax('c1.certificates_list')],
  ['세금계산서', tax('e1.invoice_summary')],
  ['전자세금계산서 합계', tax('e1.invoice_summary')],
  ['tax invoice', tax('e1.invoice_summary')],
  ['카드 매출', tax('t1.credit_card_sales_data')],
  ['신용카드 매출 자료', tax('t1.credit_card_sales_data')],
  ['지급명세서', tax('t1.payment_statement')],
  ['원천징수', tax('t1.payment_statement')],
  ['일용직 지급명세서 제출', tax('t1.payment_statement_submit_history')],
  ['알바 신고 내역', tax('t1.payment_statement_submit_history')],
  ['4대보험', edi('b1.resources.notices.institutions.list')],
  ['국민연금 공지', edi('b1.resources.notices.institutions.list')],
  ['4대보험 로그인', edi('auth.session.login')],
  ['자격취득 신고서 양식', edi('b1.resources.forms.list')],
  ['4대보험 자주 묻는 질문', edi('b1.resources.faqs.list')],
  ['고용보험 로그인', /^employment\.auth\.npki_session\.login$/],
  ['고용 포털 로그인 상태', /^employment\.auth\.session\.status$/],
];

describe('searching actions by what people call them', () => {
  it('puts the meant action first for at least 55 of 60 phrases', async () => {
    const { institutions, actions } = await loadCatalogue();
    const offered = [...actions.values()].filter(({ publicTool }) => publicTool);
    const missed = PHRASES.flatMap(([phrase, meant]) => {
      const [first] = searchActions(offered, institutions, phrase);
      return first && meant.test(first.id) ? [] : [`${phrase}: ${first?.id}`];
    });
    expect(PHRASES).toHaveLength(60);
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(5);
  });

  it('knows every action, and no word twice', async () => {
    const { actions } = await loadCatalogue();
    const tails = [...actions.values()].flatMap(({ id, provider }) => [
      id,
      id.slice(provider.length + 1),
    ]);
    for (const [id, words] of Object.entries(KEYWORDS)) {
      expect(tails).toContain(id);
      expect(words).toEqual([...new Set(words)]);
      for (const word of words) expect(word).toMatch(/^[^\sA-Z]+$/);
    }
  });

  it('finds Korean in whichever form a computer composes it', async () => {
    const { institutions, actions } = await loadCatalogue();
    const found = (query: string) =>
      searchActions(actions.values(), institutions, query).map(({ id }) => id);
    expect(found('거래내역'.normalize('NFD'))).toEqual(found('거래내역'));
  });

  it('takes the query apart once, however many actions there are', async () => {
    const { institutions, actions } = await loadCatalogue();
    const split = vi.spyOn(String.prototype, 'split');
    searchActions(actions.values(), institutions, '이번 달 입출금');
    expect(split).toHaveBeenCalledTimes(1);
    split.mockRestore();
  });

  it('lists all for an empty query, and none for a word that nothing has', async () => {
    const { institutions, actions } = await loadCatalogue();
    expect(searchActions(actions.values(), institutions, ' ')).toHaveLength(actions.size);
    expect(searchActions(actions.values(), institutions, '부동산등기')).toEqual([]);
  });
});
