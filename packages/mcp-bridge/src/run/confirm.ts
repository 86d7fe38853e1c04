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

/** A call that may be made as it is. */
interface Agreed {
  readonly agreed: ServiceCall;
}

/**
 * Whether a person agreed to an irreversible act: asked through the host if possible, otherwise by a token that the
 * second call returns. Anything that would refuse the call anyway is checked before anyone is asked.
 * @returns the call when the act may proceed, with the link that the person was told of; otherwise this call's answer
 * @throws the error with which the service refuses the call
 */
export async function confirm(
  bridge: Bridge,
  call: ServiceCall,
  consent: Consent,
): Promise<Outcome | Agreed> {
  if (!call.action.irreversible) return { agreed: call };
  const identity = identityOf(bridge, call);
  if (!mayRun(await bridge.rights.read(), call.action)) {
    return refuse(bridge, call, 'IRREVERSIBLE_NOT_ALLOWED');
  }
  // It has a job, or was sent just now: the same key finds that job, so nothing is done twice.
  if (bridge.keys.wasSent(identity)) return { agreed: call };
  if (!consent.canAsk && bridge.settings.requireElicitation) {
    return refuse(bridge, call, 'ELICITATION_REQUIRED');
  }
  const quote = await quoteOf(bridge, call);
  const { action, request, accounts } = identity;
  // Which link is the primary one may change between question and answer.
  const link = quote?.accountLinkId ?? null;
  const act = { action, request, link, ...(accounts ? { accounts } : {}) };
  const agreed = { agreed: { ...call, agreedLinkId: link ?? undefined } };
  if (consent.canAsk) return (await askPerson(bridge, call, consent, act, quote)) ?? agreed;
  if (call.confirmToken === undefined) return askForToken(bridge, call, act, quote);
  return bridge.confirmations.spend(call.confirmToken, act)
    ? agreed
    : refuse(bridge, call, 'CONFIRM_TOKEN_INVALID');
}

async function askPerson(
  bridge: Bridge,
  call: ServiceCall,
  consent: Consent,
  act: unknown,
  quote: Quote | null,
): Promise<Outcome | null> {
  const answer = consent.answerTo(act);
  if (answer === 'accepted') return null;
  if (answer === null) return { ask: await consent.ask(act, await summaryOf(bridge, call, quote)) };
  return {
    envelope: {
      status: 'DECLINED',
      service: call.action.id,
      as_of: timestamp(bridge.clock),
      error: explain(bridge, { code: 'DECLINED', retryable: false }).error,
    },
  };
}

async function askForToken(
  bridge: Bridge,
  call: ServiceCall,
  act: unknown,
  quote: Quote | null,
): Promise<Outcome> {
  const summary = await summaryOf(bridge, call, quote);
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
