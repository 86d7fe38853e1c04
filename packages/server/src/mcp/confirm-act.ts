import { hash } from 'node:crypto';
import { actSummary, type CatalogueAction } from '@changgu/contract/catalogue';
import type { JobValidationResponse } from '@changgu/contract/schemas';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { readAccountLink } from '../credentials/link-records.ts';
import { submitterOf } from '../requests/submitter.ts';
import type { SubmissionRequest } from '../rules/submission/submission.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { tryOutRun } from './submit-run.ts';
import type { ToolCall } from './tools/arguments.ts';

/** Whether a person agreed to an act, or the answer that asks for agreement. */
export type Agreement =
  /** With the link that the person was told of, also where the caller had named none. */
  | { readonly kind: 'agreed'; readonly call: ToolCall }
  | { readonly kind: 'declined' }
  | { readonly kind: 'token_invalid' }
  /** The caller asks its person, and calls again with the answer. */
  | { readonly kind: 'ask'; readonly question: InputRequiredResult }
  /** The caller cannot ask: the answer contains a token valid for this act alone. */
  | { readonly kind: 'confirm'; readonly summary: string; readonly confirmToken: string };

/**
 * Irreversible acts need a person's agreement: through a sessionless form where the caller supports one, otherwise
 * through a token bound to the act. Sandbox performs nothing, so it asks no one.
 * @throws ServiceError for anything that would refuse the act anyway, before anyone is asked
 */
export async function agreementTo(
  dependencies: McpDependencies,
  caller: Caller,
  action: CatalogueAction,
  asked: ToolCall,
  context: ServerContext,
): Promise<Agreement> {
  if (!action.irreversible || caller.envScope === 'sandbox') return { kind: 'agreed', call: asked };
  const submission = submissionOf(caller, action, asked);
  const run = submission && (await tryOutRun(dependencies, caller, submission, asked));
  const { madeKey = null, validation: quote = null } = run ?? {};
  // A person who is asked about what is done already would take it for a second act. Not freed: nor is it made anew.
  if (madeKey !== null) {
    return {
      kind: 'agreed',
      call: { ...asked, idempotencyKey: madeKey, isFreedByFailure: false },
    };
  }
  const call = { ...asked, accountLinkId: quote?.account_link_id ?? asked.accountLinkId };
  const digest = digestOf(caller, action, call);
  const { store, urlSigner } = dependencies;
  const now = await store.clock.now();
  if (canBeAsked(context)) {
    const response = inputResponse(context.mcpReq.inputResponses, keyOf(digest));
    if (response.kind === 'elicit') {
      const agreed = response.action === 'accept' && response.content?.agree === true;
      return agreed ? { kind: 'agreed', call } : { kind: 'declined' };
    }
    const summary = await summaryOf(dependencies, caller, action, call, quote);
    return { kind: 'ask', question: questionFor(digest, summary) };
  }
  if (call.confirmToken === null) {
    const summary = await summaryOf(dependencies, caller, action, call, quote);
    const { exp, sig } = urlSigner.sign(sealed(digest), now);
    return { kind: 'confirm', summary, confirmToken: `${exp}.${sig}` };
  }
  const [exp = '', sig = ''] = call.confirmToken.split('.');
  const isValid = urlSigner.verify(sealed(digest), { exp, sig }, now);
  return isValid ? { kind: 'agreed', call } : { kind: 'token_invalid' };
}

/** The key is bound to the request_id, so one agreement never performs two acts. */
function digestOf(
  { principal, envScope }: Caller,
  action: CatalogueAction,
  { params, encryptedFields, accountLinkId, accounts, idempotencyKey }: ToolCall,
): string {
  const sent = [sorted(params), sorted(encryptedFields), accountLinkId, accounts];
  const act = [principal.id, envScope, action.id, idempotencyKey, ...sent];
  return hash('sha256', JSON.stringify(act), 'base64url');
}

function sorted(fields: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** No artifact id begins like this. */
function sealed(digest: string): string {
  return `mcp-act:${digest}`;
}

/** An answer is valid only for the act that was asked about, because another act has another key. */
function keyOf(digest: string): string {
  return `confirm_${digest.slice(0, 16)}`;
}

/** Only a request of the newer protocol states that its caller shows forms; the older one has no way to return. */
function canBeAsked({ mcpReq }: ServerContext): boolean {
  const envelope: unknown = mcpReq.envelope;
  const capabilities = partOf(envelope, CLIENT_CAPABILITIES_META_KEY);
  const elicitation = partOf(capabilities, 'elicitation');
  if (elicitation === undefined) return false;
  return partOf(elicitation, 'form') !== undefined || partOf(elicitation, 'url') === undefined;
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function questionFor(digest: string, message: string): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [keyOf(digest)]: inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: {
            agree: {
              type: 'boolean',
              title: '위 내용대로 신청합니다',
              description: '신청하면 되돌릴 수 없습니다.',
            },
          },
          required: ['agree'],
        },
      }),
    },
  });
}

/** Null for a call on several accounts. */
function submissionOf(
  { principal, envScope, origin }: Caller,
  { id, provider }: CatalogueAction,
  { params, accountLinkId, accounts, encryptedFields, idempotencyKey }: ToolCall,
): SubmissionRequest | null {
  if (accounts !== null) return null;
  return {
    submitter: submitterOf(principal, origin),
    envScope,
    idempotencyKey,
    provider,
    action: id,
    accountLinkId,
    params,
    encryptedFields,
    sandboxOutcome: null,
  };
}

async function summaryOf(
  { store, institutions }: McpDependencies,
  { principal, envScope }: Caller,
  action: CatalogueAction,
  { params, accountLinkId: linkId, accounts }: ToolCall,
  quote: JobValidationResponse | null,
): Promise<string> {
  const { provider } = action;
  const link =
    linkId === null ? null : await readAccountLink(store, linkId, principal.organizationId);
  const named = [link?.business_name, link?.biz_number && `사업자등록번호 ${link.biz_number}`];
  return actSummary({
    action,
    institution: institutions.find((one) => one.provider === provider)?.title.ko ?? provider,
    params,
    envScope,
    owner: named.filter(Boolean).join(', ') || `연결 ${linkId ?? '(대표)'}`,
    accounts: accounts === null ? undefined : (accounts.ids ?? 'all'),
    remainingTokens: quote?.remaining_tokens,
  });
}
