import type { CallToolResult } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Answer, type NextStep } from './answer.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The tools of `POST /mcp` that do what those of the bridge do. */
const TOOLS: Readonly<Record<string, string>> = {
  session_status: 'changgu__accounts__list',
  search_services: 'changgu__actions__search',
  run_service: 'changgu__actions__run',
  job_result: 'changgu__job__result',
  bank_a_accounts: 'bank_a__accounts__list',
  bank_b_accounts: 'bank_b__accounts__list',
  bank_b_transactions: 'bank_b__accounts__transaction_history__search',
  bank_c_transactions: 'bank_c__accounts__transaction_history__search',
  bank_d_accounts: 'bank_d__accounts__list',
};

/** A call of the bridge as `POST /mcp` takes it; calls that an answer suggests are so already. */
export function toServiceCall(tool: string, sent: Arguments) {
  const { service, wait_seconds: _, ...args } = sent;
  const name = TOOLS[tool] ?? tool;
  return { name, arguments: service === undefined ? args : { action: service, ...args } };
}

const Call = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });
const Line = z.looseObject({ status: z.string(), job_id: z.string().nullable() });
const ServiceError = z.object({
  code: z.string(),
  next_action: z.string().default(''),
  user_action: z.string().optional(),
});

const ServiceAnswer = z.looseObject({
  status: z.string().optional(),
  job_id: z.string().optional(),
  had_effect: z.string().optional(),
  summary: z.string().optional(),
  result: z.looseObject({ data: z.unknown() }).optional(),
  accounts: z.array(Line).optional(),
  actions: z.array(z.object({ action: z.string() })).optional(),
  error: ServiceError.optional(),
  next: z.object({ tool_call: Call }).nullish(),
  next_page: z.object({ tool_call: Call }).optional(),
  next_step: z.object({ tool: z.string(), arguments: Call.shape.arguments }).optional(),
  result_tool_call: Call.optional(),
});
type ServiceAnswer = z.infer<typeof ServiceAnswer>;

/** An answer of `POST /mcp` in the form of the bridge's. */
export function toAnswer({ structuredContent, content }: CallToolResult, args: Arguments): Answer {
  const answer = ServiceAnswer.parse(structuredContent);
  const files = content.flatMap((part) =>
    part.type === 'resource_link' ? [{ uri: part.uri, mime_type: part.mimeType ?? '' }] : [],
  );
  return Answer.parse({
    status: answer.status ?? (answer.accounts ? statusOf(answer.accounts) : 'OK'),
    job_id: answer.job_id,
    had_effect: answer.had_effect,
    data: dataOf(answer),
    files,
    next: nextOf(answer, args),
    error: answer.error,
  });
}

function statusOf(lines: readonly z.infer<typeof Line>[]): string {
  const states = new Set(lines.map(({ status }) => status));
  if (['QUEUED', 'RUNNING', 'NOT_SUBMITTED'].some((state) => states.has(state))) return 'RUNNING';
  return states.size === 1 ? (lines[0]?.status ?? 'OK') : 'PARTIAL';
}

function dataOf({ result, accounts, actions, ...rest }: ServiceAnswer): unknown {
  if (result) return result.data;
  if (accounts)
    return { accounts: accounts.map((line) => ({ ...line, job_id: line.job_id ?? '' })) };
  if (actions) return { services: actions.map(({ action }) => ({ service: action })) };
  return rest;
}

/** A failure that a login resolves names the login's tool in its sentence. */
const LOGIN = /\((?:changgu__actions__run, action: (?<action>[\w.]+)|(?<tool>\w+__login))\)/;

function nextOf(answer: ServiceAnswer, { account_link_id }: Arguments): NextStep[] {
  const { next, next_page, next_step, result_tool_call, error } = answer;
  if (next_step) return [next_step];
  const call = next_page?.tool_call ?? result_tool_call ?? next?.tool_call;
  if (call) return [{ tool: call.name, arguments: call.arguments }];
  const { action, tool } = LOGIN.exec(error?.next_action ?? '')?.groups ?? {};
  const link = account_link_id === undefined ? {} : { account_link_id };
  if (tool !== undefined) return [{ tool, arguments: link }];
  return action === undefined
    ? []
    : [{ tool: TOOLS.run_service ?? '', arguments: { action, ...link } }];
}
