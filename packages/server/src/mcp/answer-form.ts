/** The form of an answer: JSON, an event stream, or JSON that becomes a stream when there is progress. */
export type AnswerForm = 'json' | 'stream' | 'either';

/** A header with which the library accepts any caller. */
export const BOTH_FORMS = 'application/json, text/event-stream';

/** Decided by `Accept`. Unless it names a stream, the answer is JSON. */
export function answerFormOf(accept: string | null): AnswerForm {
  const types = (accept ?? '').toLowerCase();
  if (!types.includes('text/event-stream')) return 'json';
  return types.includes('application/json') ? 'either' : 'stream';
}
