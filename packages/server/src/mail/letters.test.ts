import { expect, it } from 'vitest';
import { textOf } from './letters.ts';

it("a letter links to the service alone, whatever the organization's name says (D168)", () => {
  const link = 'https://changgu.example/console/accept-invitation#token=t';
  const organization = `계정이 정지되었습니다.\nhttps://evil.example/a 에서 확인 ${'하십시오 '.repeat(40)}`;
  const { text } = textOf({ kind: 'invitation', to: 'a@b.example', link, organization });
  expect(text.match(/\S*(:\/\/|\.(?=[a-z]))\S*/g)).toEqual([link]);
  expect(text).toContain('계정이 정지되었습니다. https: //evil. example/a 에서 확인 하십시오');
  expect(text.split('\n')[0]?.length).toBeLessThan(120);
});

it('a name without an address stays as it is', () => {
  const { text } = textOf({
    kind: 'factors_reset',
    to: 'a@b.example',
    link: 'https://changgu.example/console/account',
    organization: '(주)창구 Co., Ltd.',
  });
  expect(text).toContain('An owner of (주)창구 Co., Ltd. has removed');
});
