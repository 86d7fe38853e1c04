import type { CatalogueAction, JsonObjectSchema } from '@changgu/contract/catalogue';
import type { Tool } from '@modelcontextprotocol/server';
import type { Language } from '../../requests/language.ts';
import { mayOfferTool } from '../../rules/principals/allowed-action.ts';
import type { ClientPrincipal } from '../../rules/principals/principal.ts';
import { JOB_RESULT_TOOL, toolNameOf } from './tool-names.ts';
import {
  inputSchemaOf,
  jobResultInputSchema,
  jobResultOutputSchema,
  outputSchemaOf,
} from './tool-schemas.ts';

/** Is the action a tool of this key (D147)? */
export function isOffered(key: ClientPrincipal, action: CatalogueAction): boolean {
  return action.publicTool && mayOfferTool(key, action);
}

export type ToolList = (key: ClientPrincipal, language: Language) => Tool[];

/** The tools of a key, always in the order of the catalogue. Each is put together once per language. */
export function createToolList(actions: readonly CatalogueAction[]): ToolList {
  const made = { ko: new Map<string, Tool>(), en: new Map<string, Tool>() };

  function toolOf(action: CatalogueAction, language: Language): Tool {
    const tool = made[language].get(action.id) ?? actionTool(action, language);
    made[language].set(action.id, tool);
    return tool;
  }

  return (key, language) => [
    ...actions.filter((action) => isOffered(key, action)).map((action) => toolOf(action, language)),
    jobResultTool(language),
  ];
}

function actionTool(action: CatalogueAction, language: Language): Tool {
  return {
    name: toolNameOf(action.id),
    title: action.title[language],
    description: descriptionOf(action)[language].join(' '),
    inputSchema: asJson(inputSchemaOf(action)),
    outputSchema: asJson(outputSchemaOf(action)),
    annotations: {
      title: action.title[language],
      // A login changes which session is open at the institution, and nothing else.
      readOnlyHint: !action.irreversible && !isLogin(action),
      destructiveHint: action.irreversible,
      idempotentHint: !action.irreversible,
      openWorldHint: true,
    },
  };
}

/** A schema is JSON; the library asks for it in its own type. */
function asJson(schema: JsonObjectSchema): Tool['inputSchema'] {
  return schema as Tool['inputSchema'];
}

function jobResultTool(language: Language): Tool {
  const title = { ko: '작업 결과 읽기', en: 'Read the result of a job' }[language];
  const description = {
    ko: '다른 도구가 QUEUED 또는 RUNNING으로 답한 작업의 결과를 읽습니다. 작업이 끝날 때까지 잠시 기다리며, 토큰을 쓰지 않습니다. 결과는 작업이 끝난 뒤 30일 동안 읽을 수 있습니다.',
    en: 'Reads the result of a job that another tool answered as QUEUED or RUNNING. Waits a while for its end and uses no token. A result can be read for 30 days after the end.',
  }[language];
  return {
    name: JOB_RESULT_TOOL,
    title,
    description,
    inputSchema: asJson(jobResultInputSchema),
    outputSchema: asJson(jobResultOutputSchema),
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

type Sentences = Record<Language, readonly string[]>;

/** The important part first: hosts cut at 1,000 characters. */
function descriptionOf(action: CatalogueAction): Sentences {
  const notes = [
    action.irreversible && IRREVERSIBLE,
    action.loginAction !== null && loginFirst(toolNameOf(action.loginAction)),
    action.selectsAccount && SEVERAL_ACCOUNTS,
    action.irreversible ? SAME_REQUEST_ID : REPEATED,
  ].filter((note) => note !== false);
  return {
    ko: [action.description.ko, ...notes.map(({ ko }) => ko)],
    en: [action.description.en, ...notes.map(({ en }) => en)],
  };
}

const IRREVERSIBLE = {
  ko: '되돌릴 수 없는 업무이므로 반드시 사용자의 확인을 받은 뒤에 호출하십시오.',
  en: 'This cannot be undone: call it only after the user has confirmed.',
};

const SEVERAL_ACCOUNTS = {
  ko: '여러 계좌는 bank_account_credential_ids 또는 all_accounts: true로 한 번에 조회합니다.',
  en: 'For several accounts at once send bank_account_credential_ids or all_accounts: true.',
};

const REPEATED = {
  ko: '같은 호출을 되풀이할 때는 같은 request_id를 보내십시오.',
  en: 'Send the same request_id when you repeat a call.',
};

const SAME_REQUEST_ID = {
  ko: 'request_id는 필수이며, 같은 호출을 되풀이할 때는 같은 값을 보내야 두 번 처리되지 않습니다.',
  en: 'request_id is required: send the same one when you repeat a call, and it is not done twice.',
};

function loginFirst(tool: string) {
  return {
    ko: `먼저 같은 account_link_id로 ${tool} 도구를 호출해야 합니다.`,
    en: `Call ${tool} with the same account_link_id first.`,
  };
}

/** An action that makes the session which others need. */
function isLogin({ id }: CatalogueAction): boolean {
  return id.endsWith('login');
}
