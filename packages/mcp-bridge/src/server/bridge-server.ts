import {
  createRequestStateCodec,
  type Tool as Definition,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { Bridge } from '../bridge.ts';
import type { JsonObject } from '../json-object.ts';
import { ENVELOPE_SCHEMA } from '../results/envelope.ts';
import { explainProblems, explainThrown } from '../results/explain-error.ts';
import { type ConsentState, consentOf } from '../run/ask-consent.ts';
import { failedEnvelope } from '../run/job-envelope.ts';
import { checkArguments } from '../tools/check-arguments.ts';
import type { Outcome, Tool } from '../tools/tool.ts';
import { createTools } from '../tools/tool-list.ts';
import { VERSION } from '../version.ts';
import { hostAbilities, TASKS_EXTENSION } from './host-abilities.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { jobTasks, taskOf } from './job-tasks.ts';
import { progressOf } from './progress.ts';
import { serveTasks, taskStarted } from './tasks.ts';
import { toolResult } from './tool-result.ts';
import { inTraceOf } from './trace-context.ts';

const SERVER_INFO = { name: 'changgu', title: '창구', version: VERSION };

/** The list changes only when the bridge starts anew. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

const OUTPUT: Definition['outputSchema'] = ENVELOPE_SCHEMA;

/**
 * Makes servers, one per connection or request, both protocol eras alike. The low-level class: tools come as JSON
 * Schema from the catalog, and a call may be answered by a task.
 */
export function createServerFactory(bridge: Bridge): () => Server {
  const tools = new Map(createTools(bridge).map((tool) => [tool.name, tool]));
  const list = [...tools.values()].map(definitionOf);
  const tasks = jobTasks(bridge);
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const codec = createRequestStateCodec<ConsentState>({
    key: bridge.confirmations.stateKey,
    ttlSeconds: 300,
  });

  const call = async (
    server: Server,
    tool: Tool,
    args: JsonObject,
    context: ServerContext,
  ): Promise<Outcome> => {
    const problems = checkArguments(tool.inputSchema, args);
    if (problems.length > 0) {
      return { envelope: failedEnvelope(bridge, explainProblems(bridge, problems)) };
    }
    const { elicitsForms, takesTasks } = hostAbilities(server, context);
    try {
      return await tool.run(args, {
        progress: progressOf(context),
        signal: context.mcpReq.signal,
        consent: consentOf(context, elicitsForms, codec),
        takesTask: takesTasks,
      });
    } catch (error) {
      return { envelope: failedEnvelope(bridge, explainThrown(bridge, error)) };
    }
  };

  return () => {
    const server = new Server(SERVER_INFO, {
      capabilities: { tools: {}, extensions: { [TASKS_EXTENSION]: {} } },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': LIST_CACHE, 'server/discover': LIST_CACHE },
      jsonSchemaValidator,
      requestState: { verify: codec.verify },
    });
    server.setRequestHandler('tools/list', () => ({ tools: list }));
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = tools.get(params.name);
      if (!tool) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      }
      const started = bridge.clock.now();
      const args = params.arguments ?? {};
      const outcome = await inTraceOf(context, () => call(server, tool, args, context));
      const status = 'envelope' in outcome ? outcome.envelope.status : Object.keys(outcome)[0];
      bridge.log.info('call', { tool: tool.name, status, ms: bridge.clock.now() - started });
      if ('ask' in outcome) return outcome.ask;
      if ('task' in outcome) return taskStarted(taskOf(outcome.task, 'working'));
      return toolResult(outcome.envelope);
    });
    serveTasks(server, tasks);
    return server;
  };
}

function definitionOf({ run: _run, inputSchema, ...tool }: Tool): Definition {
  // Schemas of the catalog are JSON, which their own type does not say.
  return { ...tool, inputSchema: inputSchema as Definition['inputSchema'], outputSchema: OUTPUT };
}
