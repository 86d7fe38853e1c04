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

/** The same, with a character that can be seen. */
const VISIBLE = '^[^\\x00-\\x1f\\x7f]*[^\\x00-\\x1f\\x7f\\s][^\\x00-\\x1f\\x7f]*$';

/** What people call something of theirs: any characters. */
export function nameOf(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: PRINTABLE });
}

/** The name of a person or an organization, by which others know them. */
export function properNameOf(maxLength: number, description?: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: VISIBLE,
    ...(description === undefined ? {} : { description }),
  });
}
