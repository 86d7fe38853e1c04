import { createHash } from 'node:crypto';
import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { canonicalJson } from '../canonical-json.ts';

export type Answer = 'accepted' | 'declined';

/** Asks the person through the host, if the host can. */
export interface Consent {
  /** False: only two-step confirmation is possible. */
  readonly canAsk: boolean;
  /** The person's answer about exactly this act; null when not asked yet. */
  answerTo(act: unknown): Answer | null;
  ask(act: unknown, question: string): Promise<InputRequiredResult>;
}

/** What a host carries between the rounds: the act that was asked about. Signed, without personal data. */
export interface ConsentState {
  readonly act: string;
}

const KEY = 'confirm';

export function consentOf(
  context: ServerContext,
  canAsk: boolean,
  codec: RequestStateCodec<ConsentState>,
): Consent {
  const { mcpReq } = context;
  return {
    canAsk,
    answerTo(act) {
      const response = inputResponse(mcpReq.inputResponses, KEY);
      if (response.kind !== 'elicit') return null;
      // An answer counts only for the act that was asked about.
      if (mcpReq.requestState<ConsentState | undefined>()?.act !== digestOf(act)) return null;
      const agreed = response.action === 'accept' && response.content?.agree === true;
      return agreed ? 'accepted' : 'declined';
    },
    async ask(act, question) {
      return inputRequired({
        inputRequests: {
          [KEY]: inputRequired.elicit({
            message: question,
            requestedSchema: {
              type: 'object',
              properties: {
                agree: {
                  type: 'boolean',
                  title: '위 내용대로 제출합니다',
                  description: '제출하면 되돌릴 수 없습니다.',
                },
              },
              required: ['agree'],
            },
          }),
        },
        requestState: await codec.mint({ act: digestOf(act) }, context),
      });
    },
  };
}

function digestOf(act: unknown): string {
  return createHash('sha256').update(canonicalJson(act)).digest('base64url');
}
