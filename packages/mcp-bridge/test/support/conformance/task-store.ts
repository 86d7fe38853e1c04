import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { TaskSource, TaskView } from '../../../src/server/tasks.ts';

/** How a fixture's task ends; `failed` is an error of the protocol. */
export type TaskEnd = { readonly result: CallToolResult } | { readonly failed: string };

interface Entry {
  task: TaskView;
  /** Questions without an answer. */
  readonly open: Map<string, unknown>;
  readonly finish: () => void;
}

export interface TaskStore extends TaskSource {
  /** A task that ends so after so many seconds, and not before all its questions are answered. */
  start(end: TaskEnd, seconds?: number, questions?: Readonly<Record<string, unknown>>): TaskView;
}

/** Tasks in memory: what they ask and how they end, which no job of the service has, is for the suite alone. */
export function createTaskStore(): TaskStore {
  const entries = new Map<string, Entry>();

  return {
    start(end, seconds = 0, questions = {}) {
      const now = new Date().toISOString();
      const entry: Entry = {
        task: {
          taskId: randomUUID(),
          status: 'working',
          createdAt: now,
          lastUpdatedAt: now,
          ttlMs: 600_000,
          pollIntervalMs: 100,
        },
        open: new Map(Object.entries(questions)),
        finish() {
          const isReady = entry.task.status === 'working' && entry.open.size === 0;
          if (isReady) entry.task = { ...entry.task, ...ended(end) };
        },
      };
      entries.set(entry.task.taskId, entry);
      setTimeout(entry.finish, seconds * 1000).unref();
      return entry.task;
    },
    async read(taskId) {
      const entry = entries.get(taskId);
      return entry ? shown(entry) : null;
    },
    async update(taskId, inputResponses) {
      const entry = entries.get(taskId);
      for (const name of Object.keys(inputResponses)) entry?.open.delete(name);
      entry?.finish();
      return entry !== undefined;
    },
    async cancel(taskId) {
      const entry = entries.get(taskId);
      if (entry?.task.status === 'working') entry.task = { ...entry.task, status: 'cancelled' };
      return entry !== undefined;
    },
  };
}

function shown({ task, open }: Entry): TaskView {
  if (task.status !== 'working' || open.size === 0) return task;
  return { ...task, status: 'input_required', inputRequests: Object.fromEntries(open) };
}

function ended(end: TaskEnd) {
  if ('result' in end) return { status: 'completed' as const, result: end.result };
  return { status: 'failed' as const, error: { code: -32_603, message: end.failed } };
}
