import { describe, expect, it } from 'vitest';
import { loadCatalogue } from '../src/catalogue.ts';
import { isSchema, type JsonSchema } from '../src/json-schema.ts';
import { actSummary } from '../src/texts/act-summary.ts';
import { paramText, valueText } from '../src/texts/param-texts.ts';

const KOREAN = /[가-힣]/;
/** English, with the Korean term of the form in parentheses where it has one. */
const ENGLISH = /^[A-Za-z][\x20-\x7e]*$/;
const withoutTerms = (text: unknown) => String(text).replaceAll(/ \([^()]*[가-힣][^()]*\)/g, '');

/** A param and what it is a list of, with the place. */
function* partsOf(schema: JsonSchema, place: string): Generator<readonly [string, JsonSchema]> {
  yield [place, schema];
  if (isSchema(schema.items)) yield* partsOf(schema.items, `${place}[]`);
}

describe('the params of every action', () => {
  it('are described in both languages, and so is every value that can be chosen', async () => {
    const { actions } = await loadCatalogue();
    const lacking: string[] = [];
    const check = (place: string, ko: unknown, en: unknown) => {
      if (typeof ko !== 'string' || !KOREAN.test(ko)) lacking.push(`${place} ko`);
      if (!ENGLISH.test(withoutTerms(en))) lacking.push(`${place} en`);
    };
    let values = 0;
    for (const [id, { params }] of actions) {
      for (const [name, param] of Object.entries(params.properties)) {
        check(`${id} ${name}`, param['x-description-ko'], param.description);
        for (const [place, part] of partsOf(param, `${id} ${name}`)) {
          for (const value of Array.isArray(part.enum) ? part.enum : []) {
            values += 1;
            check(`${place}=${value}`, valueText(part, value, 'ko'), valueText(part, value, 'en'));
          }
        }
      }
    }
    expect(lacking).toEqual([]);
    expect(values).toBeGreaterThan(200);
  });

  it('have a name in Korean wherever a person is asked to agree', async () => {
    const { actions } = await loadCatalogue();
    const asked = [...actions.values()].filter(({ irreversible }) => irreversible);
    expect(asked).not.toEqual([]);
    for (const { id, params } of asked) {
      for (const [name, param] of Object.entries(params.properties)) {
        expect(param['x-label'], `${id} ${name}`).toMatch(KOREAN);
      }
    }
  });

  it('are lists of the texts of their values, in both languages', async () => {
    const { actions } = await loadCatalogue();
    const { properties } = actions.get('tax_portal.e1.invoice_summary')?.params ?? {};
    const { search_types = {}, start_date = {} } = properties ?? {};
    expect(paramText(search_types, 'ko')).toBe('매출·매입 구분: 01 매출, 02 매입');
    expect(paramText(search_types, 'en')).toBe(
      'Which invoices: 01 sales (매출), 02 purchases (매입)',
    );
    expect(paramText(start_date, 'ko')).toMatch(/^조회 시작일\. 생략하면 이번 분기의 첫날입니다\./);
  });

  it('of an own institution may be described in one language', () => {
    expect(paramText({ description: 'Branch' }, 'ko')).toBe('Branch');
    expect(paramText({ 'x-description-ko': '지점' }, 'en')).toBe('지점');
    expect(paramText({}, 'ko')).toBe('');
    expect(valueText({ enum: ['A'] }, 'A', 'ko')).toBeNull();
  });
});

it('a proposed act names every value of a list in Korean', async () => {
  const action = (await loadCatalogue()).actions.get('tax_portal.e1.invoice_summary');
  if (!action) throw new Error('there is no such action');
  const summary = actSummary({
    action,
    institution: '국세 포털',
    params: { search_types: ['02'] },
    envScope: 'production',
    owner: '한빛상사',
  });
  expect(summary).toContain('search_types: 매입\n');
  expect(summary).toContain('date_types: 월별 (기본값)');
});
