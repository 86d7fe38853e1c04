import type { Bridge } from '../bridge.ts';
import { describeService } from './core/describe-service.ts';
import { jobCancel } from './core/job-cancel.ts';
import { jobList } from './core/job-list.ts';
import { jobResult } from './core/job-result.ts';
import { listInstitutions } from './core/list-institutions.ts';
import { loginHelp } from './core/login-help.ts';
import { runServiceTool } from './core/run-service.ts';
import { searchServices } from './core/search-services.ts';
import { sessionStatus } from './core/session-status.ts';
import type { CoreToolName } from './direct-tools.ts';
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
} as const satisfies Readonly<Record<CoreToolName, (bridge: Bridge) => Tool>>;

/** The tools of a bridge: the core in its order, then the direct ones by name. */
export function createTools(bridge: Bridge): readonly Tool[] {
  const { directTools, services } = bridge.offering.now;
  const direct = [...directTools.keys()].flatMap((id) => services.get(id) ?? []);
  const tools = direct.map((action) => serviceTool(bridge, action));
  tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  return [...Object.values(CORE).map((create) => create(bridge)), ...tools];
}
