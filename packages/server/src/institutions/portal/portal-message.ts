import { InstitutionError } from '../institution-error.ts';
import { meaningOf } from '../meaning/korean-sentences.ts';
import { type PortalMeaning, type PortalPhase, verdictOn } from '../meaning/portal-meaning.ts';

/** What a portal says instead of the page that was asked for. */
export interface PortalMessage {
  readonly text: string;
  /** The portal's own number; null where it gives none. */
  readonly code: string | null;
}

/** Recognizes a message of one portal by its number, its sentence, or both. */
export interface MessageRule {
  readonly code?: RegExp;
  readonly text?: RegExp;
}

/** What one portal's messages mean; read before the sentences that portals have in common. */
export interface PortalMeanings {
  readonly provider: string;
  readonly meanings?: readonly (MessageRule & { readonly means: PortalMeaning })[];
  /**
   * Messages by which the portal says, after the point of no return, that nothing took effect. Leave
   * out what could also follow a request that did ("already processed").
   */
  readonly refusals?: readonly MessageRule[];
}

/** Anything else in its place is not an error number. */
const CODE = /^[\w.-]{1,40}$/;
const MAX_QUOTED = 200;
/** No sentence is longer; patterns are not tried on what a hostile page says instead. */
const MAX_READ = 1_000;

/** A portal's message as an error; the phase decides what an unknown one becomes. */
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
  const meaning = meaningIn(face, message);
  const verdict = verdictOn(meaning, phase);
  return new InstitutionError(verdict.code, {
    ...details,
    ...(meaning === null ? {} : { meaning }),
    ...(verdict.quoted ? quote : {}),
    transient: verdict.transient,
  });
}

function meaningIn({ meanings = [] }: PortalMeanings, message: PortalMessage) {
  const own = meanings.find((rule) => fits(rule, message));
  return own?.means ?? meaningOf(message.text);
}

function fits({ code, text }: MessageRule, message: PortalMessage): boolean {
  if (code !== undefined && !code.test(message.code ?? '')) return false;
  if (text !== undefined && !text.test(message.text)) return false;
  return code !== undefined || text !== undefined;
}

/** The portal's sentence without anything that looks like a number of a person or account. */
function quotable(text: string): string {
  return text.replace(/\d[\d-]{3,}\d/g, '*****').slice(0, MAX_QUOTED);
}
