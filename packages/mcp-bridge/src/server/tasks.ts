import {
  type CallToolResult,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { hostAbilities, TASKS_EXTENSION } from './host-abilities.ts';

/** A task as the wire has it (io.modelcontextprotocol/tasks, SEP-2663), and what its status brings with it. */
export interface TaskView extends Result {
  readonly taskId: string;
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

/** Where tasks are. Each method says whether there is such a task. */
export interface TaskSource {
  read(taskId: string, signal: AbortSignal): Promise<TaskView | null>;
  /** Answers to what the task asked for; what it did not ask for is ignored. */
  update(taskId: string, inputResponses: Readonly<Record<string, unknown>>): Promise<boolean>;
  /** Asks for the end; what has ended, or cannot be canceled, stays as it is. */
  cancel(taskId: string): Promise<boolean>;
}

const ONE_TASK = z.looseObject({ taskId: z.string() });

/** The answer to a call that continues as a task. */
export function taskStarted(task: TaskView): CallToolResult {
  // The library types a call's answer as a tool result, and passes a task's on.
  return { ...task, resultType: 'task', content: [] };
}

/** Serves the methods of the extension to hosts that declare it on the request. */
export function serveTasks(server: Server, tasks: TaskSource): void {
  server.setRequestHandler('tasks/get', { params: ONE_TASK }, async ({ taskId }, context) => {
    assertDeclared(server, context);
    return (await tasks.read(taskId, context.mcpReq.signal)) ?? unknownTask();
  });
  server.setRequestHandler('tasks/update', { params: ONE_TASK }, async ({ taskId }, context) => {
    assertDeclared(server, context);
    return acknowledged(await tasks.update(taskId, context.mcpReq.inputResponses ?? {}));
  });
  server.setRequestHandler('tasks/cancel', { params: ONE_TASK }, async ({ taskId }, context) => {
    assertDeclared(server, context);
    return acknowledged(await tasks.cancel(taskId));
  });
}

/** @throws MissingRequiredClientCapabilityError unless this very request declares the extension */
export function assertDeclared(server: Server, context: ServerContext): void {
  if (hostAbilities(server, context).takesTasks) return;
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}

function acknowledged(isKnown: boolean): Result {
  return isKnown ? {} : unknownTask();
}

function unknownTask(): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown task');
}
