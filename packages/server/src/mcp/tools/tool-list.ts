import {
  type CatalogueAction,
  type CatalogueInstitution,
  loginActions,
} from '@changgu/contract/catalogue';
import type { Tool } from '@modelcontextprotocol/server';
import type { Language } from '../../requests/language.ts';
import type { ClientPrincipal } from '../../rules/principals/principal.ts';
import { coreTools } from './core-tools.ts';
import { isListed } from './listed-tools.ts';
import { toolNameOf } from './tool-names.ts';
import { inputSchemaOf } from './tool-schemas.ts';
import type { Toolset } from './toolsets.ts';

export type ToolList = (
  key: ClientPrincipal,
  language: Language,
  toolsets: ReadonlySet<Toolset>,
) => Tool[];

/** The service's own tools, then those of the actions in catalog order. Each is created once per language. */
export function createToolList(institutions: readonly CatalogueInstitution[]): ToolList {
  const logins = loginActions(institutions);
  const made = { ko: new Map<string, Tool>(), en: new Map<string, Tool>() };

  function toolOf(action: CatalogueAction, language: Language): Tool {
    const tool = made[language].get(action.id) ?? actionTool(action, language, logins);
    made[language].set(action.id, tool);
    return tool;
  }

  return (principal, language, toolsets) => [
    ...coreTools(language, principal.allowIrreversibleTools && !principal.readOnly),
    ...institutions
      .flatMap(({ actions }) => actions)
      .filter((action) => isListed(institutions, { principal, toolsets }, action))
      .map((action) => toolOf(action, language)),
  ];
}

function actionTool(
  action: CatalogueAction,
  language: Language,
  logins: ReadonlySet<string>,
): Tool {
  return {
    name: toolNameOf(action.id),
    description: descriptionOf(action, language),
    // A schema is JSON; the library requires its own type.
    inputSchema: inputSchemaOf(action) as Tool['inputSchema'],
    annotations: hintsOf(action, logins),
  };
}

/** Whether it reads; what does not, says whether it destroys: the protocol asks that of no other. */
function hintsOf(
  { irreversible, id }: CatalogueAction,
  logins: ReadonlySet<string>,
): Tool['annotations'] {
  if (irreversible) return { readOnlyHint: false, destructiveHint: true };
  // A login changes only which session is open at the institution.
  if (logins.has(id)) {
    return { readOnlyHint: false, destructiveHint: false, idempotentHint: true };
  }
  return { readOnlyHint: true };
}

const IRREVERSIBLE = {
  ko: '되돌릴 수 없음: 사용자 확인.',
  en: 'Irreversible: confirm.',
};
const LOGIN_FIRST = { ko: '로그인 필요.', en: 'Needs login.' };

/** What it does and what must not be missed; the rest is one call away. */
function descriptionOf(action: CatalogueAction, language: Language): string {
  return [
    `${action.title[language]}.`,
    action.irreversible && IRREVERSIBLE[language],
    action.loginAction !== null && LOGIN_FIRST[language],
  ]
    .filter(Boolean)
    .join(' ');
}
