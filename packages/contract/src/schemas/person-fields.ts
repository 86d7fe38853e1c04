import { Type } from 'typebox';

/** Long enough for any passphrase, short enough that hashing stays bounded. */
export const Password = Type.String({ minLength: 1, maxLength: 256 });

/** Of who asks, again. */
export const OwnPassword = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    description:
      'Required. Only a session that an identity provider opened within the last ten minutes may leave it out (addition)',
  }),
);

export const Email = Type.String({ minLength: 3, maxLength: 320, format: 'email' });

/** Without control characters: PostgreSQL stores no NUL, and logs and terminals obey the others. */
export const PRINTABLE = '^[^\\x00-\\x1f\\x7f]*$';

/** Spaces, and what is as empty as one: joiners, marks of direction, the fillers of Hangul, the empty Braille cell. */
const BLANK =
  ' \\xa0\\xad\\u115f\\u1160\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufeff\\uffa0';

/**
 * The same, with a character that can be seen. No two parts may take the same character: a text that fails at its end
 * would be read again for each, and it may be far longer than any name.
 */
export const VISIBLE = `^[${BLANK}]*[^${BLANK}\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*$`;

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
