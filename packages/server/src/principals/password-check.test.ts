import { describe, expect, it } from 'vitest';
import { typedInEnglish } from './korean-keys.ts';
import { createPasswordCheck } from './password-check.ts';

const person = { email: 'minsu.kim@example.com', name: '김민수' };
const refused = { code: 'PASSWORD_POLICY' };

it.each(['abcdefghij', '1234567890', 'password1234', 'minsu.kim1'])(
  'takes %s where only length and address decide (D88)',
  async (password) => {
    await expect(createPasswordCheck('off')(password, person)).resolves.toBeUndefined();
  },
);

it.each(['on', 'off'] as const)(
  'asks for ten characters with strength %s (D88)',
  async (strength) => {
    const check = createPasswordCheck(strength);
    await expect(check('x7Qm-2vLp', person)).rejects.toMatchObject(refused);
    await expect(check(person.email, person)).rejects.toMatchObject(refused);
  },
);

describe('passwords that are easy to guess, where strength is checked', () => {
  const check = createPasswordCheck('on');

  it.each([
    'password1234',
    'qwertyuiop',
    '1234567890',
    'aaaaaaaaaaaa',
    'qlalfqjsgh',
    'qlalfqjsgh1',
    'QLALFQJSGH!',
    'dkssudgktpdy',
    'tkfkdgo123',
    'eogksalsrnr',
    '비밀번호비밀번호비밀',
    'minsu.kim1',
    'abcdefghij',
    'changgu123',
  ])('refuses %s', async (password) => {
    await expect(check(password, person)).rejects.toMatchObject(refused);
  });

  it.each([
    'correct horse battery',
    'a good password 1',
    '파란 자전거 열세 대가 산다',
    'vkfksWkwjsrjduftp13',
    'x7Qm-2vLp9',
  ])('takes %s', async (password) => {
    await expect(check(password, person)).resolves.toBeUndefined();
  });

  it('looks at a very long one no longer than at a long one', async () => {
    await expect(check('ab'.repeat(128), person)).rejects.toMatchObject(refused);
  });
});

it('types Korean words with the keyboard in English', () => {
  const typed = ['비밀번호', '안녕하세요', '대한민국', '뷁', '값', 'abc'].map(typedInEnglish);
  expect(typed).toEqual(['qlalfqjsgh', 'dkssudgktpdy', 'eogksalsrnr', 'qnpfr', 'rkqt', 'abc']);
});
