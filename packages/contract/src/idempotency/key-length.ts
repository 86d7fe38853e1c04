/** Idempotency-Key length in ASCII characters. By itself, because a client that needs it needs no other limit. */
export const KEY_LENGTH = { min: 1, max: 128 } as const;
