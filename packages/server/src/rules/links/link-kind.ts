import type { LinkType } from '@changgu/contract/schemas';
import { type FieldViolation, invalidShape } from '../service-error.ts';

/** The sets of fields that can make a link. `random_enc` may accompany a certificate. */
const SETS = {
  certificate: ['cert_data', 'key_data', 'encrypted_pw'],
  id_password: ['login_id', 'login_password'],
  consent: ['authorization_code', 'state'],
} as const satisfies Readonly<Record<LinkType, readonly string[]>>;

type CredentialField = (typeof SETS)[LinkType][number];
export type CredentialFields = Readonly<Partial<Record<CredentialField, string | null>>>;

/** Exactly one set, complete, every value there. */
export type GivenCredential = {
  readonly [Type in LinkType]: { readonly type: Type } & Readonly<
    Record<(typeof SETS)[Type][number], string>
  >;
}[LinkType];

/**
 * Which of the three sets a link request brings.
 * @throws ServiceError VALIDATION_INVALID_FIELD 422 when none, a part, or parts of several are given
 */
export function givenCredential(fields: CredentialFields): GivenCredential {
  const [type, ...others] = touchedSets(fields);
  if (type === undefined || others.length > 0) {
    throw invalidShape([
      {
        loc: ['body'],
        msg: 'Exactly one of cert_data, key_data and encrypted_pw; login_id and login_password; authorization_code and state is needed',
        type: 'value_error',
      },
    ]);
  }
  const missing = SETS[type].filter((name) => !fields[name]);
  if (missing.length > 0) {
    throw invalidShape(
      missing.map(
        (name): FieldViolation => ({
          loc: ['body', name],
          msg: 'Field required',
          type: 'missing',
        }),
      ),
    );
  }
  const value = (name: CredentialField) => fields[name] ?? '';
  switch (type) {
    case 'certificate':
      return {
        type,
        cert_data: value('cert_data'),
        key_data: value('key_data'),
        encrypted_pw: value('encrypted_pw'),
      };
    case 'id_password':
      return { type, login_id: value('login_id'), login_password: value('login_password') };
    case 'consent':
      return { type, authorization_code: value('authorization_code'), state: value('state') };
  }
}

function touchedSets(fields: CredentialFields): LinkType[] {
  const types = Object.keys(SETS) as LinkType[];
  return types.filter((type) =>
    SETS[type].some((name) => fields[name] !== undefined && fields[name] !== null),
  );
}
