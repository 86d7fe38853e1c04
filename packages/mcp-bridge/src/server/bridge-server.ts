import {
  createRequestStateCodec,
  type Tool as Definition,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Bridge } from '../bridge.ts';
import type { JsonObject } from '../json-object.ts';
import type { Offering } from '../offering.ts';
import { ENVELOPE_SCHEMA } from '../results/envelope.ts';
import { explainProblems, explainThrown } from '../results/explain-error.ts';
import { type Consent, type ConsentState, consentOf } from '../run/ask-consent.ts';
import { failedEnvelope } from '../run/job-envelope.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import { strictInput } from '../tools/strict-params.ts';
import type { Outcome, Tool } from '../tools/tool.ts';
import { createTools } from '../tools/tool-list.ts';
import { VERSION } from '../version.ts';
import { type ConnectionChanges, serveSubscriptions } from './changes.ts';
import { hostAbilities, TASKS_EXTENSION } from './host-abilities.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { serveJobResources } from './job-resources.ts';
import { jobTasks, taskOf } from './job-tasks.ts';
import { inOwnWords } from './own-words.ts';
import { progressOf } from './progress.ts';
import { servePrompts } from './prompts.ts';
import { serveTasks, taskStarted } from './tasks.ts';
import { toolResult } from './tool-result.ts';
import { inTraceOf } from './trace-context.ts';

const SERVER_INFO = { name: 'changgu', title: '창구', version: VERSION };

/** A host that does not listen for changes learns of a team's new institutions within this time. */
const LIST_CACHE = { ttlMs: 300_000, cacheScope: 'private' } as const;

const OUTPUT: Definition['outputSchema'] = ENVELOPE_SCHEMA;

/**
 * Makes servers, one per connection or request, both protocol eras alike. The low-level class: tools come as JSON
 * Schema from the catalog, and a call may be answered by a task.
 * @param onConnection told of each host that has a connection of its own
 */
export function createServerFactory(
  bridge: Bridge,
  onConnection: (changes: ConnectionChanges) => void = () => undefined,
): (request?: McpRequestContext) => Server {
  const toolset = toolsetOf(bridge);
  const tasks = jobTasks(bridge);
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const codec = createRequestStateCodec<ConsentState>({
    key: bridge.confirmations.stateKey,
    ttlSeconds: 300,
  });

  return (request) => {
    const server = new Server(SERVER_INFO, {
      capabilities: capabilitiesFor(request),
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': LIST_CACHE, 'server/discover': LIST_CACHE },
      jsonSchemaValidator,
      requestState: { verify: codec.verify },
    });
    server.setRequestHandler('tools/list', async () => {
      await bridge.offering.refresh();
      return { tools: toolset().list };
    });
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = toolset().tools.get(params.name);
      if (!tool) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      }
      const started = bridge.clock.now();
      const args = params.arguments ?? {};
      const outcome = await inTraceOf(context, () => {
        const { elicitsForms, takesTasks } = hostAbilities(server, context);
        const consent = consentOf(context, elicitsForms, codec);
        return callTool(bridge, tool, args, { context, consent, takesTask: takesTasks });
      });
      const status = 'envelope' in outcome ? outcome.envelope.status : Object.keys(outcome)[0];
      bridge.log.info('call', { tool: tool.name, status, ms: bridge.clock.now() - started });
      if ('ask' in outcome) return outcome.ask;
      if ('task' in outcome) return taskStarted(taskOf(outcome.task, 'working'));
      return toolResult(outcome.envelope);
    });
    serveTasks(server, tasks);
    serveJobResources(server, bridge);
    servePrompts(server, bridge);
    if (hasConnection(request)) onConnection(serveSubscriptions(server, bridge));
    return inOwnWords(bridge, server);
  };
}

interface HostOfCall {
  readonly context: ServerContext;
  readonly consent: Consent;
  readonly takesTask: boolean;
}

async function callTool(
  bridge: Bridge,
  tool: Tool,
  args: JsonObject,
  { context, consent, takesTask }: HostOfCall,
): Promise<Outcome> {
  const problems = checkArguments(strictInput(tool.inputSchema), args);
  if (problems.length > 0) {
    return { envelope: failedEnvelope(bridge, explainProblems(bridge, problems)) };
  }
  try {
    return await tool.run(args, {
      progress: progressOf(context),
      signal: context.mcpReq.signal,
      consent,
      takesTask,
    });
  } catch (error) {
    return { envelope: failedEnvelope(bridge, explainThrown(bridge, error)) };
  }
}

/** A request over HTTP is served alone; anything else is a connection that lasts. */
function hasConnection(request: McpRequestContext | undefined): boolean {
  return request?.requestInfo === undefined;
}

/** Only what can be told is promised: a host of before without a connection hears nothing between its requests. */
function capabilitiesFor(request: McpRequestContext | undefined): ServerCapabilities {
  const hears = hasConnection(request) || request?.era === 'modern';
  return {
    tools: { listChanged: hears },
    resources: { subscribe: hears },
    prompts: {},
    extensions: { [TASKS_EXTENSION]: {} },
  };
}

/** The tools of what is offered now, made once for each offering. */
function toolsetOf(bridge: Bridge) {
  const make = (offering: Offering) => {
    const tools = new Map(createTools(bridge).map((tool) => [tool.name, tool]));
    return { offering, tools, list: [...tools.values()].map(definitionOf) };
  };
  let made = make(bridge.offering.now);
  return () => {
    if (made.offering !== bridge.offering.now) made = make(bridge.offering.now);
    return made;
  };
}

function definitionOf({ run: _run, inputSchema, ...tool }: Tool): Definition {
  // Schemas of the catalog are JSON, which their own type does not say.
  return { ...tool, inputSchema: inputSchema as Definition['inputSchema'], outputSchema: OUTPUT };
}
