import type { CatalogueAction } from '@changgu/contract/catalogue';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { asServiceError } from '../requests/error-answer.ts';
import { invalidShape } from '../rules/service-error.ts';
import { callAccounts } from './accounts/call-accounts.ts';
import { patienceFor } from './await-jobs.ts';
import { callJobResult, callOneJob, type Waiting } from './call-one-job.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import type { Progress } from './progress-notifications.ts';
import { locatedInArguments, readToolCall } from './tools/arguments.ts';
import { type NextStep, protocolErrorOf } from './tools/tool-errors.ts';
import { isOffered } from './tools/tool-list.ts';
import { actionIdOf, JOB_RESULT_TOOL } from './tools/tool-names.ts';

/** `params` of tools/call, with what belongs to its request. */
export interface ToolRequest {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly progress: Progress;
  /** Aborted when the protocol cancels the request. */
  readonly signal: AbortSignal;
}

/**
 * One tool call, from its arguments to its result.
 * @throws ProtocolError whatever kept the call from submitting anything
 */
export async function callTool(
  dependencies: McpDependencies,
  caller: Caller,
  request: ToolRequest,
): Promise<CallToolResult> {
  const { name, progress, signal } = request;
  const stopped = AbortSignal.any([caller.stopWaiting, signal]);
  const waiting = { progress, patience: patienceFor(dependencies.waitSeconds, stopped) };
  if (name === JOB_RESULT_TOOL) {
    return orProtocolError(caller, null, () => readJobOf(dependencies, caller, request, waiting));
  }
  const action = dependencies.submissions.rules.findAction(actionIdOf(name));
  if (action === undefined || !isOffered(caller.principal, action)) throw unknownTool(caller);
  return callAction(dependencies, caller, action, request, waiting);
}

async function callAction(
  dependencies: McpDependencies,
  caller: Caller,
  action: CatalogueAction,
  { name, arguments: args }: ToolRequest,
  waiting: Waiting,
): Promise<CallToolResult> {
  const call = await orProtocolError(caller, null, async () => readToolCall(action, args, caller));
  const again = { tool: name, arguments: { ...args, request_id: call.idempotencyKey } };
  return orProtocolError(caller, again, () =>
    call.accounts === null
      ? callOneJob(dependencies, caller, action, call, waiting)
      : callAccounts(dependencies, caller, action, call, waiting),
  );
}

async function readJobOf(
  dependencies: McpDependencies,
  caller: Caller,
  { arguments: { job_id: jobId } }: ToolRequest,
  waiting: Waiting,
): Promise<CallToolResult> {
  if (typeof jobId !== 'string') {
    const [type, msg] =
      jobId === undefined
        ? ['missing', 'Field required']
        : ['string_type', 'Input should be a valid string'];
    throw invalidShape([{ loc: ['arguments', 'job_id'], msg, type }]);
  }
  return callJobResult(dependencies, caller, jobId, waiting);
}

async function orProtocolError<T>(
  { language, onFailure }: Caller,
  again: NextStep | null,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    if (ProtocolError.isInstance(thrown)) throw thrown;
    const error = asServiceError(thrown);
    if (error.code === 'INTERNAL_ERROR') onFailure(error);
    throw protocolErrorOf(locatedInArguments(error), language, again);
  }
}

function unknownTool({ language }: Caller): ProtocolError {
  const message = {
    ko: '그런 이름의 도구가 없거나 이 키로는 쓸 수 없는 도구입니다.',
    en: 'There is no such tool, or this key may not use it.',
  }[language];
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
