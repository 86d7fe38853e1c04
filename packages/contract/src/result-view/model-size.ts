/** What tokenizers cut text into before anything else: up to three digits, a word, a letter, a run of signs. */
const PIECES = /\d{1,3}|[A-Za-z]+|[^\p{ASCII}]|[^\sA-Za-z\d\u0080-\u{10ffff}]+/gu;
const LETTERS_PER_TOKEN = 4;
const SIGNS_PER_TOKEN = 2.5;
/** A Korean letter takes between half a token and three; this is more than Korean sentences take. */
const TOKENS_PER_FOREIGN_LETTER = 1.5;

/** About how many tokens a value takes as JSON: rather more than the tokenizers in use make of it. */
export function modelSize(value: unknown): number {
  let tokens = 0;
  for (const [piece] of (JSON.stringify(value) ?? '').matchAll(PIECES)) tokens += tokensOf(piece);
  return Math.ceil(tokens);
}

function tokensOf(piece: string): number {
  if (/\d/.test(piece)) return 1;
  if (/[A-Za-z]/.test(piece)) return Math.max(1, piece.length / LETTERS_PER_TOKEN);
  if (piece > '\u007f') return TOKENS_PER_FOREIGN_LETTER;
  return Math.max(1, piece.length / SIGNS_PER_TOKEN);
}
