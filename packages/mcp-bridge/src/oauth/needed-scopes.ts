import type { Bridge } from '../bridge.ts';
import { isJsonObject } from '../json-object.ts';
import type { CoreToolName } from '../tools/direct-tools.ts';

/** Tools that submit and cancel nothing. */
const READING_TOOLS: ReadonlySet<string> = new Set<CoreToolName>([
  'session_status',
  'login_help',
  'list_institutions',
  'search_services',
  'describe_service',
  'job_result',
  'job_list',
]);

/** The scopes that a request needs beyond reading, determined before anything is answered, so that a host can ask for more. */
export function neededScopes({ offering }: Pick<Bridge, 'offering'>, body: unknown): string[] {
  const { services, directTools } = offering.now;
  const actions = new Map([...directTools].map(([id, tool]) => [tool, id]));
  return [body].flat().flatMap((message: unknown) => {
    const call = toolCallOf(message);
    if (call === null) return [];
    if (READING_TOOLS.has(call.name)) return [];
    const id = call.name === 'run_service' ? call.service : actions.get(call.name);
    const action = typeof id === 'string' ? services.get(id) : undefined;
    // Also what is not known: an institution may be added before the call is answered.
    return action?.irreversible ? ['jobs:submit', 'jobs:irreversible'] : ['jobs:submit'];
  });
}

function toolCallOf(message: unknown): { readonly name: string; readonly service: unknown } | null {
  if (!isJsonObject(message)) return null;
  if (message.method === 'tasks/cancel') return { name: 'job_cancel', service: undefined };
  if (message.method !== 'tools/call' || !isJsonObject(message.params)) return null;
  const { name, arguments: args } = message.params;
  if (typeof name !== 'string') return null;
  return { name, service: isJsonObject(args) ? args.service : undefined };
}
