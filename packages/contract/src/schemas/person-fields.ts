import { Type } from 'typebox';

/** Long enough for any passphrase, short enough that hashing stays bounded. */
export const Password = Type.String({ minLength: 1, maxLength: 256 });

/** Of who asks, again. */
export const OwnPassword = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    description:
      'Left out in a session that an identity provider opened within the last ten minutes',
  }),
);

export const Email = Type.String({ minLength: 3, maxLength: 320, format: 'email' });

/** Without control characters: PostgreSQL stores no NUL, and logs and terminals obey the others. */
export const PRINTABLE = '^[^\\x00-\\x1f\\x7f]*$';

export function nameOf(maxLength: number, description?: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: PRINTABLE,
    ...(description === undefined ? {} : { description }),
  });
}
