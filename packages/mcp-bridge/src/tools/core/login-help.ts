import type { CatalogueInstitution } from '@changgu/sdk/catalogue';
import type { Bridge } from '../../bridge.ts';
import { stepTo } from '../../results/explain-error.ts';
import { answer } from '../answer.ts';
import { READS, type Tool } from '../tool.ts';
import { unknownInstitution } from '../unknown-institution.ts';

const LINK_WORDS = {
  certificate: '공동인증서',
  id_password: '아이디와 비밀번호',
  consent: '동의',
} as const;

/** How a person gets a key and registers a login, and which service logs in. */
export function loginHelp(bridge: Bridge): Tool {
  return {
    name: 'login_help',
    title: '로그인 안내',
    description:
      'Says what the person has to do to log in or register a credential, and which service makes the login session of an institution. Never ask the person for a secret in the conversation.',
    inputSchema: {
      type: 'object',
      properties: { institution: { type: 'string', description: 'Institution id' } },
      additionalProperties: false,
    },
    annotations: READS,
    async run({ institution }) {
      const again = { tool: 'login_help', arguments: {} };
      const unknown = await unknownInstitution(bridge, institution, again);
      if (unknown) return unknown;
      return answer(bridge, async () => {
        const asked = bridge.offering.now.institutions.filter(
          ({ provider }) => institution === undefined || provider === institution,
        );
        return {
          data: {
            user_action: [
              '1. 터미널에서 `changgu login`을 실행해 클라이언트 키를 등록하고, 이 MCP 서버를 다시 시작합니다.',
              '2. 터미널에서 `changgu links create`를 실행해 기관 인증 정보를 등록합니다. 비밀번호는 그곳에서만 입력합니다.',
            ],
            institutions: asked.map((one) => describe(bridge, one)),
          },
          next: [{ tool: 'session_status', arguments: {}, why: 'shows whether it worked' }],
        };
      });
    },
  };
}

function describe(bridge: Bridge, { provider, title, linkTypes, actions }: CatalogueInstitution) {
  const { logins } = bridge.offering.now;
  const login = actions.find(({ id }) => logins.has(id));
  return {
    institution: provider,
    name: title.ko,
    registers: linkTypes.map((type) => LINK_WORDS[type]),
    ...(login
      ? { login: stepTo(bridge, login.id, {}, 'lasts 20 idle minutes') }
      : { login: 'No session needed: every call logs in by itself.' }),
  };
}
