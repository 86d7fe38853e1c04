import type { EnvScope } from '@changgu/contract';
import { checkSecretNames, findAction } from './fake-actions.ts';
import {
  type FakeAnswer,
  FakeRefusal,
  type FakeRequest,
  invalidField,
  kstTime,
} from './fake-answer.ts';
import {
  canonical,
  checkEncryptedFields,
  checkParamNames,
  isRecord,
  readBody,
  requireKey,
  requireText,
} from './fake-checks.ts';
import type { FakeJob, FakeSubmission, Fate } from './fake-jobs.ts';
import type { FakeState } from './fake-state.ts';

const BODY = ['provider', 'action', 'account_link_id', 'params', 'encrypted_fields'];

/** POST /v1/jobs: checks in the order of the service, real keys, real replays. */
export async function submitJob(
  state: FakeState,
  request: FakeRequest,
  envScope: EnvScope,
): Promise<FakeAnswer> {
  const submission = readSubmission(request, envScope);
  const key = requireKey(request);
  checkParamNames(submission.params, ['body', 'params']);
  checkEncryptedFields(submission.encryptedFields);
  const action = await state.clock.hold(findAction(submission, state.fates));
  if (request.headers.get('prefer')?.includes('validate-only'))
    return validation(state, submission);
  const scope = `${envScope}\nsubmit\n${key}`;
  const before = state.keys.get(scope);
  const identity = canonical(submission);
  if (before && before.identity !== identity) throw new FakeRefusal('IDEMPOTENCY_KEY_CONFLICT');
  if (before) return submitted(state, before.job, true);
  checkSecretNames(action, submission);
  state.charge(envScope, 1);
  const job = state.jobs.add(submission, fateOf(state, request, submission));
  state.keys.set(scope, { identity, job });
  return submitted(state, job, false);
}

function readSubmission(request: FakeRequest, envScope: EnvScope): FakeSubmission {
  const body = readBody(request, BODY);
  const provider = requireText(body, 'provider');
  const action = requireText(body, 'action');
  const { params = {}, encrypted_fields: encrypted = {}, account_link_id: link = null } = body;
  if (!isRecord(params)) throw invalidField(422, ['body', 'params'], 'dict_type');
  checkEncryptedFields(encrypted);
  if (link !== null && typeof link !== 'string') {
    throw invalidField(422, ['body', 'account_link_id'], 'string_type');
  }
  if (!action.startsWith(`${provider}.`)) throw invalidField(400, ['body', 'provider']);
  const encryptedFields: Record<string, string> = {};
  for (const [name, value] of Object.entries(encrypted ?? {}))
    encryptedFields[name] = String(value);
  return { envScope, provider, action, accountLinkId: link, params, encryptedFields };
}

/** The six fields of a submission's answer. */
function submitted(state: FakeState, job: FakeJob, replayed: boolean): FakeAnswer {
  return {
    status: replayed ? 200 : 202,
    body: {
      job_id: job.id,
      status: state.jobs.stateOf(job),
      env_scope: job.envScope,
      provider: job.provider,
      action: job.action,
      submitted_at: kstTime(job.submittedAt),
    },
    headers: replayed ? { 'idempotent-replayed': 'true' } : {},
  };
}

function validation(state: FakeState, submission: FakeSubmission): FakeAnswer {
  return {
    status: 200,
    body: {
      valid: true,
      env_scope: submission.envScope,
      provider: submission.provider,
      action: submission.action,
      account_link_id: submission.accountLinkId,
      usage_tokens: 1,
      remaining_tokens: state.remaining(submission.envScope),
    },
    headers: { 'preference-applied': 'validate-only' },
  };
}

/** A header decides in sandbox, a value given twice fails, else what the test set for the action. */
export function fateOf(state: FakeState, request: FakeRequest, submission: FakeSubmission): Fate {
  const wanted = request.headers.get('x-sandbox-outcome');
  const played = /^(FAILED|TIMEOUT|CANCELED)(?:;code=(\w+))?$/.exec(wanted ?? '');
  const set = state.fates.get(submission.action) ?? { state: 'SUCCEEDED' };
  const fate = typeof set === 'function' ? set(submission.params) : set;
  const twice = Object.keys(submission.encryptedFields).some((name) => name in submission.params);
  if (twice) return { ...fate, state: 'FAILED', code: 'ENCRYPTED_FIELD_DUPLICATE' };
  if (!played) return fate;
  const end = played[1];
  const ended = end === 'TIMEOUT' || end === 'CANCELED' ? end : 'FAILED';
  return { ...fate, state: ended, code: played[2] };
}
