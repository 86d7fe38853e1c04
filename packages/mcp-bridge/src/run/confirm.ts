import type { CatalogueAction } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import { timestamp } from '../clock.ts';
import { explain, stepTo } from '../results/explain-error.ts';
import type { Outcome } from '../tools/tool.ts';
import type { Consent } from './ask-consent.ts';
import { failedEnvelope } from './job-envelope.ts';
import { reservedOf, type ServiceCall } from './service-call.ts';
import { identityOf } from './submit-once.ts';

/**
 * Has a person agreed to what cannot be undone? Asked through the host where it can; else by a token that the
 * second call brings back (D153).
 * @returns null when the act may go on, else the answer of this call
 */
export async function confirm(
  bridge: Bridge,
  call: ServiceCall,
  consent: Consent,
): Promise<Outcome | null> {
  if (!call.action.irreversible) return null;
  const identity = identityOf(call);
  // Sent already: the same key finds the same job, and nothing is done twice.
  if (bridge.keys.sentBefore(identity)) return null;
  const act = { action: identity.action, request: identity.request };
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
  if (answer === null) return { ask: await consent.ask(act, summaryOf(bridge, call)) };
  return {
    envelope: {
      status: 'DECLINED',
      service: call.action.id,
      as_of: timestamp(bridge.clock),
      error: explain(bridge, { code: 'DECLINED', retryable: false }).error,
    },
  };
}

function askForToken(bridge: Bridge, call: ServiceCall, act: unknown): Outcome {
  const again = {
    ...reservedOf(call),
    ...(call.requestId === undefined ? {} : { request_id: call.requestId }),
    confirm_token: bridge.confirmations.issue(act),
  };
  const why = 'only after the person has seen data.summary and agreed; within five minutes';
  return {
    envelope: {
      status: 'CONFIRMATION_REQUIRED',
      service: call.action.id,
      as_of: timestamp(bridge.clock),
      data: { summary: summaryOf(bridge, call) },
      warnings: ['Nothing was submitted yet. Never confirm on behalf of the person.'],
      next: [stepTo(bridge, call.action.id, again, why, call.params)],
    },
  };
}

function refuse(bridge: Bridge, call: ServiceCall, code: string): Outcome {
  const explained = explain(bridge, { code, retryable: false });
  return { envelope: failedEnvelope(bridge, explained, call.action.id) };
}

/** What the person is asked to agree to, written here and by nobody else. */
function summaryOf(bridge: Bridge, { action, params, accountLinkId }: ServiceCall): string {
  const given = Object.entries(params).map(([name, value]) => `- ${name}: ${plain(value)}`);
  return [
    `${institutionName(bridge, action)}에 '${action.title.ko}'을(를) 제출합니다. 되돌릴 수 없습니다.`,
    `- 환경: ${bridge.settings.envScope}`,
    `- 사용 토큰: ${action.usageTokens}`,
    ...(accountLinkId === undefined ? [] : [`- account_link_id: ${accountLinkId}`]),
    ...given,
  ].join('\n');
}

function institutionName({ institutions }: Bridge, { provider }: CatalogueAction): string {
  return institutions.find((one) => one.provider === provider)?.title.ko ?? provider;
}

/** One line, short: an argument must not look like a part of the summary. */
function plain(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
