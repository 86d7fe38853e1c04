import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fieldMessageKo } from '../src/texts/field-messages-ko.ts';

const SERVER = join(import.meta.dirname, '../../server/src');
/** Of requests that neither the command line nor the console makes, and of programs that are not the service. */
const ELSEWHERE =
  /\.test\.ts$|^(mcp|oauth|http\/oauth|identity-providers|http\/identity-providers|commands|institutions|engine\/(testing|run-real))/;
/** Parts of sentences, and errors rather than messages of a field. */
const NOT_A_MESSAGE = /\.$|^7 |^Korean mobile number$|^Basic |\$\{|^There is no such action7/;

/** Every sentence that the service's sources say of a field, with 7 for each value in it. */
function messages(): string[] {
  const files = globSync('**/*.ts', { cwd: SERVER }).filter((file) => !ELSEWHERE.test(file));
  const sources = files
    .map((file) => readFileSync(join(SERVER, file), 'utf8'))
    .filter((source) => /invalidValue|invalidShape|Violation|Finding|msg: /.test(source))
    .map((source) => source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''));
  const found = sources.flatMap((source) => [
    ...source.matchAll(
      /(["'`])((?:[A-Z][a-z]+|X-Env-Scope|\$\{[^}]*\}) (?:\$\{[^}\n]*\}|(?!\1|\n).)+)\1/g,
    ),
  ]);
  const samples = found.map(([, , text = '']) =>
    text.replaceAll(/\$\{count\(limit, '(\w+)'\)\}/g, '7 $1s').replaceAll(/\$\{[^}]*\}/g, '7'),
  );
  return [...new Set(samples)].filter((text) => !NOT_A_MESSAGE.test(text));
}

it('everything that the service says of a field has Korean words', () => {
  const all = messages();
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter((text) => !/[가-힣]/.test(fieldMessageKo(text)))).toEqual([]);
});

it.each([
  ['String should have at least 1 character', '1자 이상이어야 합니다.'],
  [
    "Input should be 'sandbox', 'real_test' or 'production'",
    '다음 중 하나여야 합니다: sandbox, real_test, production',
  ],
  ['Input should be a valid string or integer', '다음 형식이어야 합니다: 문자열, 정수'],
  [
    'There is no such action; did you mean bank_a.accounts.list?',
    '없는 업무입니다. 혹시 bank_a.accounts.list입니까?',
  ],
  ['bank_a is linked by certificate, id_password', 'bank_a의 연결 방식: certificate, id_password'],
  ['Value error, from_date is not a day of the calendar', 'from_date: 달력에 없는 날짜입니다.'],
  [
    'Value error, to_date must not be before from_date',
    'to_date은(는) from_date보다 빠를 수 없습니다.',
  ],
  [
    'Value error, At most 366 days can be searched at once',
    '한 번에 최대 366일을 조회할 수 있습니다.',
  ],
  [
    'Value error, At most 12 months can be searched at once',
    '한 번에 최대 12개월을 조회할 수 있습니다.',
  ],
  ['A sentence of a later service', 'A sentence of a later service'],
])('%s → %s', (said, shown) => {
  expect(fieldMessageKo(said)).toBe(shown);
});
