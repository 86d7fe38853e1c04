import type { Bridge } from '../bridge.ts';
import { isJsonObject } from '../json-object.ts';

/** The scopes that a request needs beyond reading, determined before anything is answered, so that a host can ask for more. */
export function neededScopes({ offering }: Pick<Bridge, 'offering'>, body: unknown): string[] {
  const { services, directTools } = offering.now;
  return [body].flat().flatMap((message: unknown) => {
    const call = toolCallOf(message);
    if (call === null) return [];
    if (call.name === 'job_cancel') return ['jobs:submit'];
    const id =
      call.name === 'run_service'
        ? call.service
        : [...directTools].find(([, tool]) => tool === call.name)?.[0];
    const action = typeof id === 'string' ? services.get(id) : undefined;
    if (action === undefined) return [];
    return action.irreversible ? ['jobs:submit', 'jobs:irreversible'] : ['jobs:submit'];
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
