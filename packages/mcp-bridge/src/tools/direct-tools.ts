import type { CatalogueAction, CatalogueInstitution } from '@changgu/sdk/catalogue';
import { SettingError, type Settings, type Toolset } from '../settings.ts';

/** Tools that are always there. */
const CORE_TOOLS = [
  'session_status',
  'login_help',
  'list_institutions',
  'search_services',
  'describe_service',
  'run_service',
  'job_result',
  'job_list',
  'job_cancel',
] as const;
export type CoreToolName = (typeof CORE_TOOLS)[number];

/** More tools than this are left out by hosts, or cost every conversation too much. */
const MAX_TOOLS = 25;

/** What every host accepts. */
const TOOL_NAME = /^[a-z][a-z0-9_]{0,39}$/;

const TOOLSET_OF: Readonly<Record<CatalogueInstitution['kind'], Toolset>> = {
  bank: 'bank',
  tax: 'tax',
  employment: 'employment',
  social_insurance: 'insurance',
  other: 'other',
};

/** What may be called: the public actions, in read-only mode without the irreversible ones. */
export function callableServices(
  institutions: readonly CatalogueInstitution[],
  { readOnly }: Pick<Settings, 'readOnly'>,
): ReadonlyMap<string, CatalogueAction> {
  const all = institutions.flatMap(({ actions }) => actions);
  const callable = all.filter(
    ({ publicTool, irreversible }) => publicTool && !(readOnly && irreversible),
  );
  return new Map(callable.map((action) => [action.id, action]));
}

export interface DirectTools {
  /** Tool name by action id. */
  readonly names: ReadonlyMap<string, string>;
  /** Names that there was no room for, or that cannot be names; run_service reaches them. */
  readonly leftOut: readonly string[];
}

/** Which services get their own tool. @throws SettingError for a tool that does not exist */
export function chooseDirectTools(
  institutions: readonly CatalogueInstitution[],
  services: ReadonlyMap<string, CatalogueAction>,
  { toolsets, tools }: Pick<Settings, 'toolsets' | 'tools'>,
): DirectTools {
  const all = [...services.values()];
  const unknown = tools?.find((name) => !all.some(({ toolName }) => toolName === name));
  if (unknown !== undefined) {
    throw new SettingError({
      ko: `없는 도구입니다: ${unknown}`,
      en: `There is no tool ${unknown}.`,
    });
  }
  const enabled = institutions.filter(({ kind }) =>
    toolsets.some((set) => set === TOOLSET_OF[kind]),
  );
  const chosen = all.filter(({ provider, toolName }) =>
    tools ? tools.includes(toolName) : enabled.some((one) => one.provider === provider),
  );
  const taken = new Set<string>(CORE_TOOLS);
  const names = new Map<string, string>();
  const leftOut: string[] = [];
  for (const { id, toolName } of chosen) {
    // Names of a team's own actions are the team's choice.
    if (!TOOL_NAME.test(toolName) || taken.has(toolName) || taken.size === MAX_TOOLS) {
      leftOut.push(toolName);
      continue;
    }
    taken.add(toolName);
    names.set(id, toolName);
  }
  return { names, leftOut };
}
