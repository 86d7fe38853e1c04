import type { CatalogueAction } from '@changgu/contract/catalogue';
import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { invalidShape, invalidValue } from '../rules/service-error.ts';
import { shapeCheck } from '../validation/shape-check.ts';
import { unusableTexts } from '../validation/unusable-texts.ts';
import { callAccounts } from './accounts/call-accounts.ts';
import { patienceFor } from './await-jobs.ts';
import { callJobResult, callOneJob, type Waiting } from './call-one-job.ts';
import { type Caller, knownFailure } from './caller.ts';
import { type Agreement, agreementTo } from './confirm-act.ts';
import { describeAction, findActions, listAccounts } from './explore.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import type { Progress } from './progress-notifications.ts';
import { locatedInArguments, readToolCall, type ToolCall } from './tools/arguments.ts';
import { coreTools } from './tools/core-tools.ts';
import { isListed, isOffered } from './tools/listed-tools.ts';
import { type NextStep, refusalOf } from './tools/tool-errors.ts';
import { actionIdOf, CORE_TOOLS } from './tools/tool-names.ts';
import { toolResult } from './tools/tool-result.ts';
import { explainUnknown } from './tools/unknown-arguments.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The `params` of tools/call and the context of its request. */
export interface ToolRequest {
  readonly name: string;
  readonly arguments: Arguments;
  readonly progress: Progress;
  readonly context: ServerContext;
}

type ToolAnswer = CallToolResult | InputRequiredResult;

/**
 * One tool call, from its arguments to its result. An error is a result that the model reads.
 * @throws ProtocolError for an unknown tool and for the errors that the specification lists
 */
export async function callTool(
  dependencies: McpDependencies,
  caller: Caller,
  request: ToolRequest,
): Promise<ToolAnswer> {
  const { name, arguments: args } = request;
  if (isCore(name)) return callCore(dependencies, caller, request);
  const id = actionIdOf(name);
  const action = id === null ? undefined : offeredAction(dependencies, caller, id);
  if (action === undefined || !isListed(dependencies.institutions, caller, action)) {
    throw unknownTool(caller);
  }
  return callAction(dependencies, caller, action, args, request);
}

const CORE_NAMES: ReadonlySet<string> = new Set(Object.values(CORE_TOOLS));

function isCore(name: string): boolean {
  return CORE_NAMES.has(name);
}

function offeredAction(
  { submissions }: McpDependencies,
  { principal }: Caller,
  id: string,
): CatalogueAction | undefined {
  const action = submissions.rules.findAction(id);
  return action !== undefined && isOffered(principal, action) ? action : undefined;
}

const CORE_SHAPES = new Map(
  coreTools('en', true).map(({ name, inputSchema }) => {
    const check = shapeCheck(inputSchema, ['arguments']);
    return [
      name,
      (args: Arguments) => [
        ...explainUnknown(check(args), inputSchema, 2),
        ...unusableTexts(args, ['arguments']),
      ],
    ];
  }),
);

async function callCore(
  dependencies: McpDependencies,
  caller: Caller,
  request: ToolRequest,
): Promise<ToolAnswer> {
  const { name, arguments: args } = request;
  return orRefusal(caller, null, async () => {
    const violations = CORE_SHAPES.get(name)?.(args) ?? [];
    if (violations.length > 0) throw invalidShape(violations);
    switch (name) {
      case CORE_TOOLS.accounts:
        return toolResult(await listAccounts(dependencies, caller, args), null);
      case CORE_TOOLS.search:
        return toolResult(findActions(dependencies, caller, args), null);
      case CORE_TOOLS.describe: {
        const action = namedAction(dependencies, caller, args);
        return toolResult(await describeAction(dependencies, action, caller), null);
      }
      case CORE_TOOLS.run:
        return runAction(dependencies, caller, request);
      default: {
        const { job_id: jobId, request_id: _, ...view } = args;
        const waiting = waitingFor(dependencies, caller, request);
        return callJobResult(dependencies, caller, String(jobId), view, waiting);
      }
    }
  });
}

async function runAction(
  dependencies: McpDependencies,
  caller: Caller,
  request: ToolRequest,
): Promise<ToolAnswer> {
  const { action: _, params, ...reserved } = request.arguments;
  const action = namedAction(dependencies, caller, request.arguments);
  const args = { ...(params as Arguments | undefined), ...reserved };
  return callAction(dependencies, caller, action, args, request);
}

/** @throws ServiceError when this key may not run the action */
function namedAction(dependencies: McpDependencies, caller: Caller, { action: id }: Arguments) {
  const action = offeredAction(dependencies, caller, String(id));
  if (action) return action;
  const msg = 'There is no such action for this key; find it with changgu__actions__search';
  throw invalidValue([{ loc: ['arguments', 'action'], msg, type: 'value_error' }]);
}

async function callAction(
  dependencies: McpDependencies,
  caller: Caller,
  action: CatalogueAction,
  args: Arguments,
  request: ToolRequest,
): Promise<ToolAnswer> {
  let again: NextStep | null = null;
  return orRefusal(
    caller,
    () => again,
    async () => {
      const call = readToolCall(action, args, caller);
      const repeated = { ...request.arguments, request_id: call.idempotencyKey };
      again = { tool: request.name, arguments: repeated };
      const agreement = await agreementTo(dependencies, caller, action, call, request.context);
      if (agreement.kind !== 'agreed') return notAgreed(agreement, caller, again);
      const waiting = waitingFor(dependencies, caller, request);
      return submitAndWait(dependencies, caller, action, agreement.call, waiting);
    },
  );
}

function submitAndWait(
  dependencies: McpDependencies,
  caller: Caller,
  action: CatalogueAction,
  call: ToolCall,
  waiting: Waiting,
): Promise<CallToolResult> {
  return call.accounts === null
    ? callOneJob(dependencies, caller, action, call, waiting)
    : callAccounts(dependencies, caller, action, call, waiting);
}

function waitingFor(
  { waitSeconds }: McpDependencies,
  { stopWaiting }: Caller,
  { progress, context }: ToolRequest,
): Waiting {
  const stopped = AbortSignal.any([stopWaiting, context.mcpReq.signal]);
  return { progress, patience: patienceFor(waitSeconds, stopped) };
}

const NOT_AGREED = {
  declined: {
    code: 'DECLINED',
    message: {
      ko: '사용자가 동의하지 않았습니다. 아무것도 제출하지 않았습니다.',
      en: 'The person did not agree. Nothing was submitted.',
    },
    next_action: {
      ko: '사용자가 다시 요청할 때만 다시 호출하십시오.',
      en: 'Call again only if the person asks for it.',
    },
  },
  token_invalid: {
    code: 'CONFIRM_TOKEN_INVALID',
    message: {
      ko: 'confirm_token이 이 호출의 것이 아니거나 만료되었습니다.',
      en: 'The confirm_token belongs to another call or has expired.',
    },
    next_action: {
      ko: 'confirm_token 없이 다시 호출하십시오.',
      en: 'Call again without confirm_token.',
    },
  },
} as const;

function notAgreed(
  agreement: Exclude<Agreement, { readonly kind: 'agreed' }>,
  { language }: Caller,
  again: NextStep,
): ToolAnswer {
  switch (agreement.kind) {
    case 'ask':
      return agreement.question;
    case 'confirm': {
      const { summary, confirmToken } = agreement;
      const confirmed = { ...again.arguments, confirm_token: confirmToken };
      const note = {
        ko: '아직 제출하지 않았습니다. 사용자에게 summary를 보여 주고 동의를 받은 뒤에만 next_step을 호출하십시오.',
        en: 'Nothing has been submitted. Show summary to the person, and make the call in next_step only after they agreed.',
      }[language];
      const next_step = { tool: again.tool, arguments: confirmed };
      return toolResult({ status: 'CONFIRMATION_REQUIRED', summary, note, next_step }, null);
    }
    case 'declined':
    case 'token_invalid': {
      const refusal = NOT_AGREED[agreement.kind];
      const { code } = refusal;
      const [message, next_action] = [refusal.message[language], refusal.next_action[language]];
      const error = { code, message, safe_to_retry: false, next_action };
      return toolResult({ status: 'REFUSED', error }, `${code}: ${message} ${next_action}`);
    }
  }
}

async function orRefusal(
  caller: Caller,
  again: (() => NextStep | null) | null,
  act: () => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  try {
    return await act();
  } catch (thrown) {
    if (ProtocolError.isInstance(thrown)) throw thrown;
    const error = knownFailure(caller, thrown);
    return refusalOf(locatedInArguments(error), caller.language, again?.() ?? null);
  }
}

function unknownTool({ language }: Caller): ProtocolError {
  const message = {
    ko: '목록에 없는 도구입니다. changgu__actions__search로 업무를 찾아 changgu__actions__run으로 실행하십시오.',
    en: 'This tool is not in your list. Find the action with changgu__actions__search and run it with changgu__actions__run.',
  }[language];
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
