import { isJsonObject, type OAuthScope } from '@changgu/contract';
import { insufficientScope } from '../rules/service-error.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { actionIdOf, CORE_TOOLS } from './tools/tool-names.ts';

/**
 * The scopes that a tool call needs beyond reading, checked before anything is answered, so that a host can ask
 * the person for more and call again.
 * @throws ServiceError AUTH_INSUFFICIENT_SCOPE
 */
export function assertScopes(
  dependencies: Pick<McpDependencies, 'submissions'>,
  { principal }: Pick<Caller, 'principal'>,
  body: unknown,
): void {
  const { scopes } = principal;
  if (scopes === null) return;
  const needed = [body].flat().flatMap((message) => neededBy(dependencies, message));
  if (needed.some((scope) => !scopes.includes(scope))) throw insufficientScope(scopes, ...needed);
}

function neededBy(
  { submissions: { rules } }: Pick<McpDependencies, 'submissions'>,
  message: unknown,
): OAuthScope[] {
  const call = toolCallOf(message);
  if (call === null || call.name === CORE_TOOLS.jobResult) return [];
  if (call.name === CORE_TOOLS.accounts) return ['links:read'];
  const id = call.name === CORE_TOOLS.run ? call.action : actionIdOf(call.name);
  const action = typeof id === 'string' ? rules.findAction(id) : undefined;
  if (action === undefined) return [];
  return action.irreversible ? ['jobs:submit', 'jobs:irreversible'] : ['jobs:submit'];
}

function toolCallOf(message: unknown): { readonly name: string; readonly action: unknown } | null {
  if (!isJsonObject(message) || message.method !== 'tools/call') return null;
  const { params } = message;
  if (!isJsonObject(params) || typeof params.name !== 'string') return null;
  const { name, arguments: args } = params;
  return { name, action: isJsonObject(args) ? args.action : undefined };
}
