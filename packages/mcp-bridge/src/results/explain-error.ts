import { type NextStep as Advice, isChangguError, type Job, type JobFailure } from '@changgu/sdk';
import {
  type CatalogueAction,
  ERRORS,
  isErrorCode,
  type KnownFailure,
  NEXT_STEP_TERMS,
  type NextStepKind,
  nextStepOf,
} from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { HiddenJobError } from '../run/visible-job.ts';
import { SecretUnavailableError } from '../secret-references.ts';
import type { ArgumentProblem } from '../tools/check-arguments.ts';
import type { ErrorInfo, NextStep } from './envelope.ts';
import { ownError } from './own-errors.ts';
import { untrusted } from './untrusted-text.ts';

export interface Explained {
  readonly kind: NextStepKind;
  readonly error: ErrorInfo;
  readonly next: readonly NextStep[];
}

/** The call that caused the error, for suggested next steps. */
export interface ErrorOrigin {
  readonly action?: CatalogueAction | undefined;
  readonly accountLinkId?: string | undefined;
  readonly jobId?: string | undefined;
}

interface Failure {
  /** Omitted when there was no job. */
  readonly hadEffect?: KnownFailure['hadEffect'];
  readonly code: string;
  /** Omitted when unknown; then the table decides. */
  readonly retryable?: boolean;
  /** The text of the service or the institution: data, never an instruction. */
  readonly said?: string | null | undefined;
  /** The SDK's advice about one of its own errors. */
  readonly advice?: Advice | undefined;
}

/** What only a person can resolve. */
const FOR_PERSONS: ReadonlySet<NextStepKind> = new Set([
  'authenticate',
  'get_access',
  'fix_credential',
  'check_links',
  'check_institution',
  'contact_operator',
]);

/** The bridge has the key that its environment held when it started. */
const LOGIN_COMMAND =
  '터미널에서 `changgu login`을 실행하여 클라이언트 키를 등록한 다음, 이 MCP 서버를 다시 시작하십시오.';

/** A code in our own words. */
export function explain(
  bridge: Bridge,
  { code, said, advice, ...failure }: Failure,
  origin: ErrorOrigin = {},
): Explained {
  const known = isErrorCode(code) ? ERRORS[code] : null;
  const retryable = failure.retryable ?? known?.retryable ?? false;
  const own = ownError(code);
  const step =
    own?.nextStep ?? advice ?? tableStep({ code, retryable, hadEffect: failure.hadEffect }, origin);
  const { kind } = step;
  const error: ErrorInfo = {
    code,
    message: own?.message ?? known?.en ?? 'The call failed.',
    retryable,
    next_action: step.en,
    ...(FOR_PERSONS.has(kind)
      ? { user_action: kind === 'authenticate' ? LOGIN_COMMAND : step.ko }
      : {}),
    ...(said ? { detail: untrusted(said.slice(0, 500), bridge.settings) } : {}),
  };
  const call = callFor(bridge, kind, origin);
  return { kind, error, next: call ? [call] : [] };
}

function tableStep(failure: KnownFailure, { action }: ErrorOrigin): Advice {
  return nextStepOf(failure, {
    ...NEXT_STEP_TERMS.tool,
    login: action?.loginAction ?? undefined,
  });
}

/** The call that takes the step, or shows what it requires. */
function callFor(bridge: Bridge, kind: NextStepKind, origin: ErrorOrigin): NextStep | undefined {
  switch (kind) {
    case 'login':
      return loginStep(bridge, origin);
    case 'check_links':
      return { tool: 'session_status', arguments: {}, why: 'shows the key and the links' };
    case 'wait_for_institution':
      return { tool: 'list_institutions', arguments: {}, why: 'shows when it is back' };
    case 'check_jobs':
      return origin.jobId === undefined
        ? { tool: 'job_list', arguments: {}, why: 'lists the jobs' }
        : { tool: 'job_result', arguments: { job_id: origin.jobId }, why: 'reads the job' };
    default:
      return undefined;
  }
}

/** Why a job ended in its state. */
export function explainFailure(
  bridge: Bridge,
  failure: Pick<JobFailure, 'code' | 'retryable' | 'message'> | null,
  hadEffect: Job['hadEffect'],
  origin: ErrorOrigin,
): Explained {
  const { code, retryable, message } = failure ?? NO_REASON;
  return explain(bridge, { code, retryable, hadEffect, said: message }, origin);
}

const NO_REASON = { code: 'JOB_FAILED', retryable: false, message: null };

/** Any thrown value. An error from outside the SDK is a bug of ours, and nothing of it is revealed. */
export function explainThrown(
  bridge: Bridge,
  thrown: unknown,
  origin: ErrorOrigin = {},
): Explained {
  if (thrown instanceof SecretUnavailableError) {
    return explain(bridge, { code: 'SECRET_UNAVAILABLE', retryable: false, said: thrown.message });
  }
  if (thrown instanceof HiddenJobError) return explain(bridge, { code: 'JOB_NOT_FOUND' });
  if (!isChangguError(thrown)) {
    const name = thrown instanceof Error ? thrown.name : typeof thrown;
    bridge.log.error('a tool failed', { error: name });
    return explain(bridge, { code: 'INTERNAL_ERROR', retryable: false });
  }
  if ('failure' in thrown) return explainFailure(bridge, thrown.failure, thrown.hadEffect, origin);
  const { code, retryable, message } = thrown;
  const advice = isErrorCode(code) ? undefined : thrown.nextStepIn(NEXT_STEP_TERMS.tool);
  const explained = explain(bridge, { code, retryable, said: message, advice }, origin);
  if (!('fields' in thrown) || thrown.fields.length === 0) return explained;
  const problems = thrown.fields.map(({ loc, msg }) => ({
    field: loc.filter((part) => part !== 'body' && part !== 'params').join('.'),
    problem: msg,
  }));
  return withProblems(explained, problems);
}

/** Invalid arguments, each named in the message that the model reads. */
export function explainProblems(bridge: Bridge, problems: readonly ArgumentProblem[]): Explained {
  return withProblems(explain(bridge, { code: 'INVALID_ARGUMENTS', retryable: false }), problems);
}

function withProblems(explained: Explained, problems: readonly ArgumentProblem[]): Explained {
  const sentence = problems.map(({ field, problem }) => `${field}: ${problem}`).join('; ');
  const error = { ...explained.error, message: `Not valid: ${sentence}.`, fields: problems };
  return { ...explained, error };
}

/** The institution's login, by its own tool or by run_service. */
export function loginStep(
  bridge: Bridge,
  { action, accountLinkId }: ErrorOrigin,
): NextStep | undefined {
  const login = action?.loginAction;
  if (!login || !bridge.offering.now.services.has(login)) return undefined;
  const link = accountLinkId === undefined ? {} : { account_link_id: accountLinkId };
  return stepTo(bridge, login, link, 'makes the login session');
}

/** A call of a service, by its own tool if it has one. */
export function stepTo(
  bridge: Bridge,
  service: string,
  reserved: Readonly<Record<string, unknown>>,
  why: string,
  params: Readonly<Record<string, unknown>> = {},
): NextStep {
  const tool = bridge.offering.now.directTools.get(service);
  if (tool) return { tool, arguments: { ...params, ...reserved }, why };
  const given = Object.keys(params).length === 0 ? {} : { params };
  return { tool: 'run_service', arguments: { service, ...given, ...reserved }, why };
}
