import { InvalidResponseError } from '@changgu/sdk';
import type { CatalogueAction, CatalogueInstitution } from '@changgu/sdk/catalogue';
import { loadCatalogue } from '@changgu/sdk/catalogue';
import { describe, expect, it } from 'vitest';
import { failureOf, fake } from './support/fake.ts';

const ACTION: CatalogueAction = {
  id: 'my_union.members.list',
  provider: 'my_union',
  title: { ko: '조합원 명부', en: 'List of members' },
  description: { ko: '조합원 명부', en: 'List of members' },
  usageTokens: 1,
  irreversible: false,
  selectsAccount: false,
  link: 'required',
  needsSession: false,
  loginAction: null,
  timeoutSeconds: 120,
  encryptedFields: { pin: { ko: '비밀번호', en: 'PIN' } },
  publicTool: true,
  toolName: 'my_union_members_list',
  file: { format: 'pdf', task: '명부' },
  taxPortal: null,
  ownerKind: null,
  params: { type: 'object', properties: { branch: { type: 'string' } }, required: ['branch'] },
  result: { type: 'object', properties: {} },
};
const UNION: CatalogueInstitution = {
  provider: 'my_union',
  title: { ko: '우리 조합', en: 'My union' },
  kind: 'other',
  linkTypes: ['id_password'],
  consentFeatures: [],
  actions: [ACTION],
};

/** What a client says to a service with this document. */
function answeredBy(body: unknown) {
  const { client, service, run } = fake();
  service.route(({ path }) => (path === '/openapi.json' ? { status: 200, body } : null));
  return { service, answer: run(client.ownInstitutions()) };
}

describe("a team's own institutions (D149)", () => {
  it('are read as the catalog has them, names untouched, without credentials', async () => {
    const { service, answer } = answeredBy({ openapi: '3.1.0', 'x-own-institutions': [UNION] });
    expect(await answer).toEqual([UNION]);
    expect(service.requests[0]?.headers.has('authorization')).toBe(false);
  });

  it('may be anything that a built-in one is', async () => {
    const { institutions } = await loadCatalogue();
    const own = institutions.map((institution) => ({
      ...institution,
      actions: institution.actions.map((action) => ({ ...action, taxPortal: null })),
    }));
    expect(own.length).toBeGreaterThan(5);
    expect(await answeredBy({ 'x-own-institutions': own }).answer).toEqual(own);
  });

  it('are none where the service names none', async () => {
    expect(await answeredBy({ openapi: '3.1.0' }).answer).toEqual([]);
    const { client, run } = fake();
    expect(await run(client.ownInstitutions())).toEqual([]);
  });

  const withAction = (more: object) => [{ ...UNION, actions: [{ ...ACTION, ...more }] }];
  it.each([
    ['no document', null],
    ['no list', { 'x-own-institutions': UNION }],
    ['an empty one', { 'x-own-institutions': [{}] }],
    ['an unknown kind', { 'x-own-institutions': [{ ...UNION, kind: 'casino' }] }],
    ['an unknown link', { 'x-own-institutions': [{ ...UNION, linkTypes: ['magic'] }] }],
    ['no id', { 'x-own-institutions': withAction({ id: undefined }) }],
    ['a title in one language', { 'x-own-institutions': withAction({ title: { ko: '명부' } }) }],
    ['a field without text', { 'x-own-institutions': withAction({ encryptedFields: { a: 1 } }) }],
    ['params that are not a schema', { 'x-own-institutions': withAction({ params: {} }) }],
    [
      'a param that is not a schema',
      {
        'x-own-institutions': withAction({ params: { type: 'object', properties: { branch: 1 } } }),
      },
    ],
    [
      'required that is not a list',
      {
        'x-own-institutions': withAction({
          params: { type: 'object', properties: {}, required: 'a' },
        }),
      },
    ],
  ])('with %s are an InvalidResponseError', async (_what, body) => {
    expect(await failureOf(answeredBy(body).answer)).toBeInstanceOf(InvalidResponseError);
  });
});
