import { describe, expect, it } from 'vitest';
import { assetViolations } from './selected-assets.ts';

const ACTIONS = [
  {
    params: {
      type: 'object',
      properties: { from_date: { type: 'string' }, page: { type: ['integer', 'string'] } },
    },
  },
  {
    params: { type: 'object', properties: { page: { type: 'integer' }, codes: { type: 'array' } } },
  },
  { params: { type: 'object', properties: { anything: {} } } },
] as const;

const typesOf = (assets: Record<string, unknown>) =>
  assetViolations(ACTIONS, assets).map(({ loc, type }) => [loc.at(-1), type]);

describe('selected assets', () => {
  it('are inputs of any action of the provider (D162)', () => {
    expect(typesOf({ from_date: '20260101', page: 2, codes: ['A0161'], anything: null })).toEqual(
      [],
    );
    expect(typesOf({ to_date: '20260101' })).toEqual([['to_date', 'value_error']]);
    expect(assetViolations([], { page: 1 })[0]?.msg).toContain('nothing that can be selected');
  });

  it('have the type of their input, and are refused in the words of params (D162, D54)', () => {
    expect(typesOf({ from_date: 20260101, page: 1.5, codes: 'A0161' })).toEqual([
      ['from_date', 'string_type'],
      ['page', 'int_type'],
      ['codes', 'list_type'],
    ]);
    expect(typesOf({ page: '2' })).toEqual([]);
    expect(assetViolations(ACTIONS, { from_date: null })).toEqual([
      {
        loc: ['body', 'selected_assets', 'from_date'],
        msg: 'Input should be a valid string',
        type: 'string_type',
      },
    ]);
  });
});
