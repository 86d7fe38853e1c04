/** How an answer goes out: JSON, an event stream, or JSON that becomes a stream when there is progress. */
export type AnswerForm = 'json' | 'stream' | 'either';

/** The header with which the library takes any caller. */
export const BOTH_FORMS = 'application/json, text/event-stream';

/** By `Accept`: neither named, either, or both. Without a stream named it is JSON. */
export function answerFormOf(accept: string | null): AnswerForm {
  const types = (accept ?? '').toLowerCase();
  if (!types.includes('text/event-stream')) return 'json';
  return types.includes('application/json') ? 'either' : 'stream';
}
