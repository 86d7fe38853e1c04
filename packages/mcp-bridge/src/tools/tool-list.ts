import type { CatalogueAction, CatalogueInstitution } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { SettingError, type Settings, type Toolset } from '../settings.ts';
import { describeService } from './core/describe-service.ts';
import { jobCancel } from './core/job-cancel.ts';
import { jobList } from './core/job-list.ts';
import { jobResult } from './core/job-result.ts';
import { listInstitutions } from './core/list-institutions.ts';
import { loginHelp } from './core/login-help.ts';
import { runServiceTool } from './core/run-service.ts';
import { searchServices } from './core/search-services.ts';
import { sessionStatus } from './core/session-status.ts';
import { serviceTool } from './service-tool.ts';
import type { Tool } from './tool.ts';

/** Always there, in this order. */
const CORE = {
  session_status: sessionStatus,
  login_help: loginHelp,
  list_institutions: listInstitutions,
  search_services: searchServices,
  describe_service: describeService,
  run_service: runServiceTool,
  job_result: jobResult,
  job_list: jobList,
  job_cancel: jobCancel,
} as const;

/** More tools than this are left out by hosts, or cost every conversation too much (anchors: tool count). */
const MAX_TOOLS = 25;

/** What every host accepts (D135). */
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
  if (unknown !== undefined) throw new SettingError(`There is no tool ${unknown}.`);
  const enabled = institutions.filter(({ kind }) =>
    toolsets.some((set) => set === TOOLSET_OF[kind]),
  );
  const chosen = all.filter(({ provider, toolName }) =>
    tools ? tools.includes(toolName) : enabled.some((one) => one.provider === provider),
  );
  const taken = new Set<string>(Object.keys(CORE));
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

/** The tools of a bridge: the core in its order, then the direct ones by name. */
export function createTools(bridge: Bridge): readonly Tool[] {
  const direct = [...bridge.directTools.keys()].flatMap((id) => bridge.services.get(id) ?? []);
  const tools = direct.map((action) => serviceTool(bridge, action));
  tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  return [...Object.values(CORE).map((create) => create(bridge)), ...tools];
}
