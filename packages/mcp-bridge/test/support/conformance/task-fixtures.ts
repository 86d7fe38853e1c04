import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { hostAbilities, TASKS_EXTENSION } from '../../../src/server/host-abilities.ts';
import { assertDeclared, serveTasks, taskStarted } from '../../../src/server/tasks.ts';
import type { TaskEnd, TaskStore } from './task-store.ts';

type Arguments = Readonly<Record<string, unknown>>;
interface Fixture {
  /** Cannot be served without a task. */
  readonly needsTask?: true;
  run(call: FixtureCall): CallToolResult | InputRequiredResult;
}
interface FixtureCall {
  readonly args: Arguments;
  readonly context: ServerContext;
  readonly tasks: TaskStore;
  readonly takesTasks: boolean;
}

const text = (words: string, isError = false): CallToolResult => ({
  content: [{ type: 'text', text: words }],
  isError,
});
const asks = (message: string, name: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    },
  });
const task = (tasks: TaskStore, ...start: Parameters<TaskStore['start']>) =>
  taskStarted(tasks.start(...start));
const done = (words: string): TaskEnd => ({ result: text(words) });

/** The tools that the tasks scenarios of the suite ask for. */
const FIXTURES: Readonly<Record<string, Fixture>> = {
  greet: { run: ({ args }) => text(`Hello, ${String(args.name)}!`) },
  slow_compute: {
    run({ args, tasks, takesTasks }) {
      const seconds = Number(args.seconds ?? 0);
      return takesTasks ? task(tasks, done('Computed'), seconds) : text('Computed');
    },
  },
  failing_job: {
    needsTask: true,
    run: ({ tasks }) => task(tasks, { result: text('Failed', true) }),
  },
  protocol_error_job: {
    needsTask: true,
    run: ({ tasks }) => task(tasks, { failed: 'Internal error' }),
  },
  confirm_delete: {
    needsTask: true,
    run: ({ tasks }) => task(tasks, done('Deleted'), 0, { confirm: asks('Delete?', 'confirm') }),
  },
  multi_input: {
    needsTask: true,
    run({ tasks }) {
      const questions = { first: asks('First?', 'name'), second: asks('Second?', 'name') };
      return task(tasks, done('Both'), 0, questions);
    },
  },
  test_tool_with_task: {
    needsTask: true,
    run({ context, tasks }) {
      const shape = z.object({ name: z.string() });
      const given = acceptedContent(context.mcpReq.inputResponses, 'user_name', shape);
      if (given) return task(tasks, done(`Hello, ${given.name}!`));
      return inputRequired({ inputRequests: { user_name: asks('Your name?', 'name') } });
    },
  },
};

/** Serves them with the tasks code of the bridge. */
export function taskFixtures(tasks: TaskStore): () => Server {
  return () => {
    const server = new Server(
      { name: 'conformance-tasks', version: '1.0.0' },
      { capabilities: { tools: {}, extensions: { [TASKS_EXTENSION]: {} } } },
    );
    server.setRequestHandler('tools/list', () => ({
      tools: Object.keys(FIXTURES).map((name) => ({ name, inputSchema: { type: 'object' } })),
    }));
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const fixture = FIXTURES[params.name];
      if (!fixture) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool');
      if (fixture.needsTask) assertDeclared(server, context);
      const { takesTasks } = hostAbilities(server, context);
      return fixture.run({ args: params.arguments ?? {}, context, tasks, takesTasks });
    });
    serveTasks(server, tasks);
    return server;
  };
}
