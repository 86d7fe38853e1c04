import { hash } from 'node:crypto';
import { invalidValue } from '../rules/service-error.ts';

/**
 * Where a list continues: opaque and bound to its filters. It is neither a secret nor a
 * permission: what a caller may see is decided again on every page.
 */
export function encodeCursor(position: number, filters: unknown): string {
  return Buffer.from(`${position}.${checksum(position, filters)}`).toString('base64url');
}

/** @throws ServiceError 400 for a cursor of other filters, or a modified one */
export function decodeCursor(cursor: string, filters: unknown): number {
  const [digits = ''] = /^\d{1,15}(?=\.)/.exec(decode(cursor)) ?? [];
  const position = Number(digits);
  // Compared as it was given out: the decoder skips foreign characters and ignores spare bits.
  if (digits === '' || cursor !== encodeCursor(position, filters)) {
    throw invalidValue([
      {
        loc: ['query', 'cursor'],
        msg: 'The cursor does not belong to this query',
        type: 'value_error',
      },
    ]);
  }
  return position;
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1');
}

function checksum(position: number, filters: unknown): string {
  return hash('sha256', JSON.stringify([position, filters])).slice(0, 16);
}
