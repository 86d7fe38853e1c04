import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { ACTIONS, INSTITUTIONS } from '../src/actions/index.ts';
import { loadCatalogue } from '../src/catalogue.ts';
import type { ActionDefinition } from '../src/define-action.ts';
import type { JsonSchema } from '../src/json-schema.ts';
import { inlineSchema } from '../src/named-schemas.ts';
import { exampleParams } from '../src/openapi/action-examples.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { TAX_PORTAL_PREFIX } from '../src/operations/tax-portal.ts';

const actions = [...ACTIONS.values()];

/** "The catalogue" of the decisions, a row per action: tokens, link, acct, irr, sess, seconds, tool, file. */
const si = (suffix: string, file = '-') => [
  `si_edi.b1.resources.${suffix}`,
  '1 r - - sess 120 yes',
  file,
];
const issue = (name: string) => [`tax_portal.c1.${name}`, '3 r - irr sess 180 yes', 'pdf'];
const search = (name: string, file = '-') => [`tax_portal.${name}`, '1 r - - sess 120 yes', file];
const TABLE = [
  ['employment.auth.npki_session.login', '1 o - - - 60 yes', '-'],
  ['employment.auth.session.status', '1 o - - - 60 yes', '-'],
  ['si_edi.auth.session.login', '1 o - - - 60 yes', '-'],
  si('faqs.detail'),
  si('faqs.list'),
  si('faqs.list_init'),
  si('files.download', 'any'),
  si('forms.attachments'),
  si('forms.detail'),
  si('forms.list'),
  si('forms.list_init'),
  si('notices.institutions.attachments'),
  si('notices.institutions.detail'),
  si('notices.institutions.list'),
  si('notices.institutions.list_init'),
  ['tax_portal.s1.login', '1 o - - - 60 yes', '-'],
  ['tax_portal.s1.user_info', '1 r - - sess 60 yes', '-'],
  search('c1.certificates_list'),
  search('c1.certificate_print', 'pdf'),
  issue('national_tax_payment'),
  issue('tax_payment_record'),
  issue('vat_standard'),
  issue('business_registration'),
  issue('business_suspension'),
  issue('financial_statement'),
  issue('business_closure'),
  issue('business_registration_reissue'),
  issue('income_statement'),
  search('e1.invoice_summary'),
  search('t1.credit_card_sales_data'),
  search('t1.payment_statement', 'xlsx'),
  search('t1.payment_statement_submit_history'),
  ...['a', 'b', 'c', 'd'].map((bank) => [`bank_${bank}.accounts.list`, '1 r - - - 60 yes', '-']),
  ['bank_a.accounts.quick_summary.get', '1 r acct - - 60 yes', '-'],
  ['bank_b.accounts.transaction_history.search', '1 r acct - - 120 yes', 'xlsx'],
  ['bank_c.accounts.transaction_history.search', '1 r acct - - 120 yes', 'xlsx'],
  ['bank_d.accounts.transaction_history.search', '2 r acct - - 120 no', 'xlsx'],
];

function rowOf(action: ActionDefinition): readonly string[] {
  const facts = [
    action.usageTokens,
    action.link === 'required' ? 'r' : 'o',
    action.selectsAccount ? 'acct' : '-',
    action.irreversible ? 'irr' : '-',
    action.needsSession ? 'sess' : '-',
    action.timeoutSeconds,
    action.publicTool ? 'yes' : 'no',
  ];
  return [action.id, facts.join(' '), action.file?.format ?? '-'];
}

/** Every part of a schema that has a keyword, with the path to it. */
function* partsOf(schema: unknown, path = ''): Generator<readonly [string, JsonSchema]> {
  if (typeof schema !== 'object' || schema === null) return;
  if (!Array.isArray(schema)) yield [path, schema as JsonSchema];
  for (const [key, value] of Object.entries(schema)) yield* partsOf(value, `${path}/${key}`);
}

describe('the catalogue', () => {
  it('has exactly the actions of the decisions, with their facts (D04, D37)', () => {
    const byId = (a: readonly string[], b: readonly string[]) =>
      String(a[0]) < String(b[0]) ? -1 : 1;
    expect(actions.map(rowOf).sort(byId)).toEqual([...TABLE].sort(byId));
    expect(ACTIONS.size).toBe(INSTITUTIONS.flatMap((institution) => institution.actions).length);
  });

  it('ids fit the patterns, begin with their provider and have no __ (D75)', () => {
    for (const { provider, actions: own } of INSTITUTIONS) {
      expect(provider).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      for (const { id, provider: owner } of own) {
        expect(id).toMatch(/^[a-z][a-z0-9_.]{0,63}$/);
        expect(id).not.toContain('__');
        expect(owner, id).toBe(provider);
      }
    }
  });

  it('tool names are unique, also as ids with __ (R111, D135)', () => {
    const names = actions.map(({ toolName }) => toolName);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(actions.map(({ id }) => id.replaceAll('.', '__'))).size).toBe(actions.length);
    for (const name of names) expect(name).toMatch(/^(?=.{1,40}$)[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  });

  it('no param has a reserved name, and only account-selecting actions select an account (D134)', () => {
    const reserved = [
      'account_link_id',
      'all_accounts',
      'bank_account_credential_ids',
      'encrypted_fields',
      'request_id',
    ];
    for (const { id, params, selectsAccount } of actions) {
      const names = Object.keys(params.properties);
      expect(
        names.filter((name) => reserved.includes(name)),
        id,
      ).toEqual([]);
      expect(names.includes('bank_account_credential_id'), id).toBe(selectsAccount);
    }
  });

  it('params are plain object schemas: no $ref, no combinators, type arrays only for R47 and D155', () => {
    const typeArrays = new Set<string>();
    for (const { id, params } of actions) {
      for (const [path, part] of partsOf(params)) {
        for (const keyword of ['$ref', '$id', 'anyOf', 'oneOf', 'allOf', 'not', 'if']) {
          expect(part, `${id}${path}`).not.toHaveProperty(keyword);
        }
        if (Array.isArray(part.type)) typeArrays.add(path);
      }
      expect(params).toMatchObject({ type: 'object' });
      expect(params).not.toHaveProperty('additionalProperties');
    }
    expect([...typeArrays].sort()).toEqual([
      '/properties/atch_file_sn',
      '/properties/qrt_from',
      '/properties/qrt_to',
    ]);
  });

  it('every field of params and results is described', () => {
    for (const { id, params, result } of actions) {
      for (const schema of [params, result]) {
        for (const [path, part] of partsOf(schema)) {
          if (!/properties\/[^/]+$/.test(path)) continue;
          const [first] = Array.isArray(part.anyOf) ? part.anyOf : [part];
          expect(first, `${id}${path}`).toMatchObject({ description: expect.stringMatching(/\S/) });
        }
      }
    }
  });

  it('titles and descriptions are there in both languages and fit into a tool', () => {
    for (const { id, title, description, encryptedFields } of actions) {
      for (const text of [title, description, ...Object.values(encryptedFields)]) {
        expect(text.ko, id).toMatch(/[가-힣]/);
        expect(text.en, id).toMatch(/^[ -~]+$/);
        expect(text.en.length, id).toBeLessThanOrEqual(1000);
      }
      expect(description.ko, id).toMatch(/(니다|시오)\.$/);
    }
  });

  it('defaults and examples are valid, alone and together', () => {
    for (const action of actions) {
      for (const [name, property] of Object.entries<JsonSchema>(plain(action).properties)) {
        const examples: readonly unknown[] = Array.isArray(property.examples)
          ? property.examples
          : [];
        const values = 'default' in property ? [...examples, property.default] : examples;
        for (const value of values)
          expect(Schema.Check(property, value), `${action.id} ${name}`).toBe(true);
      }
      expect(Schema.Check(plain(action), exampleParams(action)), action.id).toBe(true);
    }
  });

  it('an action that needs a session names a login of the same institution', () => {
    for (const { id, provider, needsSession, loginAction } of actions) {
      expect(loginAction !== null, id).toBe(needsSession);
      if (loginAction === null) continue;
      expect(ACTIONS.get(loginAction)).toMatchObject({ provider, needsSession: false });
    }
  });

  it('each institution says how it is linked (D99, D103, D155)', () => {
    const types = Object.fromEntries(
      INSTITUTIONS.map(({ provider, linkTypes }) => [provider, linkTypes]),
    );
    expect(types).toEqual({
      employment: ['certificate'],
      si_edi: ['certificate'],
      tax_portal: ['certificate', 'id_password'],
      bank_a: ['certificate', 'id_password'],
      bank_b: ['certificate', 'id_password'],
      bank_c: ['certificate', 'id_password'],
      bank_d: ['certificate', 'id_password', 'consent'],
    });
    for (const { linkTypes, consentFeatures } of INSTITUTIONS) {
      expect(consentFeatures.length > 0).toBe(linkTypes.includes('consent'));
    }
  });

  it('the tax portal has the screens, codes and paths of the specification (D83)', () => {
    const family = actions.flatMap(({ taxPortal }) =>
      taxPortal ? [[taxPortal.path, taxPortal.certificateCode, taxPortal.screenId].join(' ')] : [],
    );
    expect(family).toEqual([
      '/a/s1/login  ',
      '/a/s1/user/info  ',
      '/a/c1/certificates-list  ',
      '/a/c1/national-tax-payment B0006 UTERDAAA04',
      '/a/c1/tax-payment-record B0005 UTERDAAA06',
      '/a/c1/vat-standard B0008 UTERDAAA08',
      '/a/c1/business-registration B0001 UTEABGAA21',
      '/a/c1/business-suspension B0011 UTEABDAA02',
      '/a/c1/financial-statement B0013 UTEABDAA04',
      '/a/c1/business-closure B0012 UTEABDAA03',
      '/a/c1/business-registration-reissue A0003 UTEABAAA12',
      '/a/c1/income-statement B1022 UTESFAAE35',
      '/a/e1/invoice-summary  UTEETBDB17',
      '/a/t1/credit-card-sales-data  UTESFABG35',
      '/a/t1/payment-statement  UTESFAA0E002',
      '/a/t1/payment-statement-submit-history  UWEICAAD16',
    ]);
    const paths = OPERATIONS.filter(({ tag }) => tag === 'tax-portal').map(({ path }) => path);
    expect(paths.filter((path) => !path.startsWith(TAX_PORTAL_PREFIX))).toEqual([]);
    expect(paths).toHaveLength(family.length + 2);
  });

  it('the generated catalog is what the definitions say, and is read once', async () => {
    const { institutions, actions: byId } = await loadCatalogue();
    expect(await loadCatalogue()).toBe(await loadCatalogue());
    expect([...byId.keys()]).toEqual([...ACTIONS.keys()]);
    expect(institutions.map(({ provider }) => provider)).toEqual(
      INSTITUTIONS.map(({ provider }) => provider),
    );
    for (const [id, action] of byId)
      expect(action.params, id).toEqual(inlineSchema(ACTIONS.get(id)?.params ?? {}));
  });
});

describe('what the schemas refuse', () => {
  const accepts = (id: string, params: Record<string, unknown>) => {
    const action = ACTIONS.get(id);
    if (!action) throw new Error(id);
    return Schema.Check(plain(action), params);
  };

  it('quarters, months and statement kinds outside their enumerations (R126)', () => {
    const cards = { bsno: '123-45-67891', stl_yr: '2026', qrt_from: 1, qrt_to: '4' };
    const id = 'tax_portal.t1.credit_card_sales_data';
    expect(accepts(id, cards)).toBe(true);
    for (const quarter of [0, 5, '0', '5', '01', 1.5, null]) {
      expect(accepts(id, { ...cards, qrt_from: quarter }), String(quarter)).toBe(false);
    }
    expect(accepts(id, { ...cards, stl_yr: '1999' })).toBe(false);
    const months = { sbms_ym_strt: '202601', sbms_ym_end: '202612' };
    const history = 'tax_portal.t1.payment_statement_submit_history';
    expect(accepts(history, months)).toBe(true);
    expect(accepts(history, { ...months, sbms_ym_end: '202413' })).toBe(false);
    expect(accepts(history, { ...months, type_codes: ['A0161', 'A9999'] })).toBe(false);
    expect(accepts('tax_portal.t1.payment_statement', { mate_knd_cd: 'A0051' })).toBe(true);
    expect(accepts('tax_portal.t1.payment_statement', { mate_knd_cd: 'A0050' })).toBe(false);
  });

  it('copies outside 1..10 and unknown languages (D83)', () => {
    const id = 'tax_portal.c1.vat_standard';
    expect(accepts(id, {})).toBe(true);
    expect(accepts(id, { copies: 10, language: 'EN' })).toBe(true);
    for (const params of [{ copies: 0 }, { copies: 11 }, { copies: '1' }, { language: 'FR' }]) {
      expect(accepts(id, params), JSON.stringify(params)).toBe(false);
    }
  });

  it('atch_file_sn may be a number or a string, current_page_no only an integer from 1 (R47, D36)', () => {
    for (const atch_file_sn of ['1', 1]) {
      expect(accepts('si_edi.b1.resources.files.download', { atfl_id: 'A', atch_file_sn })).toBe(
        true,
      );
    }
    expect(
      accepts('si_edi.b1.resources.files.download', { atfl_id: 'A', atch_file_sn: true }),
    ).toBe(false);
    expect(accepts('si_edi.b1.resources.faqs.list', { current_page_no: 1 })).toBe(true);
    for (const current_page_no of [0, '1', 1.5]) {
      expect(accepts('si_edi.b1.resources.faqs.list', { current_page_no })).toBe(false);
    }
  });

  it('a missing required param, but no unknown one (D23)', () => {
    expect(accepts('si_edi.b1.resources.faqs.detail', {})).toBe(false);
    expect(accepts('si_edi.b1.resources.faqs.detail', { qstn_sn: '1', something: 1 })).toBe(true);
  });

  it('malformed dates, directions and workplace numbers (D76, D79)', () => {
    const history = 'bank_c.accounts.transaction_history.search';
    expect(
      accepts(history, {
        from_date: '2026-01-01',
        to_date: '20260131',
        direction: 'in',
        order: 'asc',
      }),
    ).toBe(true);
    for (const params of [
      { from_date: '2026-0101' },
      { to_date: '1.1.2026' },
      { direction: 'both' },
    ]) {
      expect(accepts(history, params), JSON.stringify(params)).toBe(false);
    }
    const login = 'employment.auth.npki_session.login';
    expect(accepts(login, { business_management_no: '12345678910' })).toBe(true);
    expect(accepts(login, { business_management_no: '1234567891' })).toBe(false);
    expect(accepts(login, { member_type_code: 'BE903' })).toBe(false);
  });
});

/** The params of an action as the JSON that a validator sees. */
function plain(action: ActionDefinition) {
  return inlineSchema(action.params) as { properties: Record<string, JsonSchema> };
}
