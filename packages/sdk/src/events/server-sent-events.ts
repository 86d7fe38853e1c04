/** One frame of a stream: its position, and its data if there is any. */
export interface Frame {
  readonly id: string | null;
  readonly data: string | null;
}

/**
 * Parses server-sent events from the chunks of a body.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function frameReader(): (piece: Uint8Array) => Frame[] {
  const decoder = new TextDecoder();
  let text = '';
  return (piece) => {
    text += decoder.decode(piece, { stream: true });
    const frames = text.split(/\r?\n\r?\n/);
    // The part after the last blank line is not complete yet.
    text = frames.pop() ?? '';
    return frames.map(frameOf);
  };
}

function frameOf(text: string): Frame {
  let id: string | null = null;
  const data: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') id = value;
    if (name === 'data') data.push(value);
  }
  return { id, data: data.length === 0 ? null : data.join('\n') };
}
