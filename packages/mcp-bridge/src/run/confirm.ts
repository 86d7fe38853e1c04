import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import { explain, stepTo } from '../results/explain-error.ts';
import type { Outcome } from '../tools/tool.ts';
import type { Consent } from './ask-consent.ts';
import { failedEnvelope } from './job-envelope.ts';
import { mayRun } from './key-rights.ts';
import { accountsOf, reservedOf, type ServiceCall } from './service-call.ts';
import { identityOf, prepareCall } from './submit-once.ts';
import { type Quote, summaryOf } from './summary.ts';

/**
 * Whether a person agreed to an irreversible act: asked through the host if possible, otherwise by a token that the
 * second call returns. Anything that would refuse the call anyway is checked before anyone is asked.
 * @returns null when the act may proceed, otherwise this call's answer
 * @throws the error with which the service refuses the call
 */
export async function confirm(
  bridge: Bridge,
  call: ServiceCall,
  consent: Consent,
): Promise<Outcome | null> {
  if (!call.action.irreversible) return null;
  const identity = identityOf(bridge, call);
  if (!mayRun(await bridge.rights.read(), call.action)) {
    return refuse(bridge, call, 'IRREVERSIBLE_NOT_ALLOWED');
  }
  // Already sent: the same key finds the same job, so nothing is done twice.
  if (bridge.keys.wasSent(identity)) return null;
  const { action, request, accounts } = identity;
  const act = { action, request, ...(accounts ? { accounts } : {}) };
  if (consent.canAsk) return askPerson(bridge, call, consent, act);
  if (bridge.settings.requireElicitation) return refuse(bridge, call, 'ELICITATION_REQUIRED');
  if (call.confirmToken === undefined) return askForToken(bridge, call, act);
  return bridge.confirmations.spend(call.confirmToken, act)
    ? null
    : refuse(bridge, call, 'CONFIRM_TOKEN_INVALID');
}

async function askPerson(
  bridge: Bridge,
  call: ServiceCall,
  consent: Consent,
  act: unknown,
): Promise<Outcome | null> {
  const answer = consent.answerTo(act);
  if (answer === 'accepted') return null;
  if (answer === null) return { ask: await consent.ask(act, await quotedSummary(bridge, call)) };
  return {
    envelope: {
      status: 'DECLINED',
      service: call.action.id,
      as_of: timestamp(bridge.clock),
      error: explain(bridge, { code: 'DECLINED', retryable: false }).error,
    },
  };
}

async function askForToken(bridge: Bridge, call: ServiceCall, act: unknown): Promise<Outcome> {
  const summary = await quotedSummary(bridge, call);
  const again = {
    ...reservedOf(call),
    ...accountsOf(call),
    ...(call.requestId === undefined ? {} : { request_id: call.requestId }),
    confirm_token: bridge.confirmations.issue(act),
  };
  const why = 'only after the person has seen data.summary and agreed; within five minutes';
  return {
    envelope: {
      status: 'CONFIRMATION_REQUIRED',
      service: call.action.id,
      as_of: timestamp(bridge.clock),
      data: { summary },
      warnings: ['Nothing has been submitted yet. Never confirm on behalf of the person.'],
      next: [stepTo(bridge, call.action.id, again, why, call.params)],
    },
  };
}

async function quotedSummary(bridge: Bridge, call: ServiceCall): Promise<string> {
  return summaryOf(bridge, call, await quoteOf(bridge, call));
}

/** The service runs all checks of a submission without submitting anything. */
async function quoteOf(bridge: Bridge, call: ServiceCall): Promise<Quote | null> {
  if (call.allAccounts) return null;
  const prepared = await prepareCall(bridge, call);
  return bridge.client.jobs.validate(prepared, { totalTimeoutMs: 8_000 });
}

function refuse(bridge: Bridge, call: ServiceCall, code: string): Outcome {
  const explained = explain(bridge, { code, retryable: false });
  return { envelope: failedEnvelope(bridge, explained, call.action.id) };
}
