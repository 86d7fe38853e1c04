/** Bytes of plain text in one RSA-OAEP piece with a 4096-bit key and SHA-256. */
const PIECE_BYTES = 446;

/** Pieces of all fields of one request together. */
export const PIECES_PER_REQUEST = 32;

/**
 * Cuts bytes into exact 446-byte pieces, the last one shorter. No bytes are one empty piece.
 * Splits UTF-8 bytes, so a character may span two blocks; the service joins them before decoding.
 */
export function cutIntoPieces(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let rest = bytes;
  while (rest.length > PIECE_BYTES) {
    pieces.push(rest.subarray(0, PIECE_BYTES));
    rest = rest.subarray(PIECE_BYTES);
  }
  pieces.push(rest);
  return pieces;
}
