import { InstitutionError } from '../institution-error.ts';
import { MAX_READ, meaningOf } from '../meaning/korean-sentences.ts';
import { type PortalMeaning, type PortalPhase, verdictOn } from '../meaning/portal-meaning.ts';

/** What a portal says instead of the requested page. */
export interface PortalMessage {
  readonly text: string;
  /** The portal's own error number; null when there is none. */
  readonly code: string | null;
}

/** Recognizes a portal's message by its number, its sentence, or both. */
export interface MessageRule {
  readonly code?: RegExp;
  readonly text?: RegExp;
}

/** The meanings of one portal's messages; checked before the sentences common to all portals. */
export interface PortalMeanings {
  readonly provider: string;
  readonly meanings?: readonly (MessageRule & { readonly means: PortalMeaning })[];
  /**
   * Messages by which the portal states, after the point of no return, that nothing took effect. Omit
   * any that could also follow a request that did ("already processed").
   */
  readonly refusals?: readonly MessageRule[];
}

/** Any other text in its place is not an error number. */
const CODE = /^[\w.-]{1,40}$/;
const MAX_QUOTED = 200;

/** A portal's message as an error; the phase decides about an unknown one. */
export function messageError(
  face: PortalMeanings,
  { text: said, code }: PortalMessage,
  upstreamStatus: number,
  phase: PortalPhase,
): InstitutionError {
  const message = { text: said.slice(0, MAX_READ), code };
  const details = {
    upstreamStatus,
    ...(code !== null && CODE.test(code) ? { providerErrorRef: `${face.provider}:${code}` } : {}),
  };
  const quote = message.text === '' ? {} : { message: quotable(message.text) };
  if (phase === 'committed' && face.refusals?.some((rule) => fits(rule, message))) {
    return new InstitutionError('PROVIDER_VALIDATION_ERROR', {
      ...details,
      ...quote,
      refused: true,
    });
  }
  const meaning = meaningIn(face, message, phase);
  const verdict = verdictOn(meaning, phase);
  return new InstitutionError(verdict.code, {
    ...details,
    ...(meaning === null ? {} : { meaning }),
    ...(verdict.quoted ? quote : {}),
    transient: verdict.transient,
  });
}

function meaningIn(
  { meanings = [] }: PortalMeanings,
  message: PortalMessage,
  phase: PortalPhase,
): PortalMeaning | null {
  const own = meanings.find((rule) => fits(rule, message));
  return own?.means ?? meaningOf(message.text, phase);
}

function fits({ code, text }: MessageRule, message: PortalMessage): boolean {
  if (code !== undefined && !code.test(message.code ?? '')) return false;
  if (text !== undefined && !text.test(message.text)) return false;
  return code !== undefined || text !== undefined;
}

/** The portal's sentence without anything that looks like a personal or account number. */
function quotable(text: string): string {
  return text.replace(/\d[\d-]{3,}\d/g, '*****').slice(0, MAX_QUOTED);
}
