import type { LinkType } from '@changgu/contract/schemas';
import { type FieldViolation, invalidShape } from '../service-error.ts';

/** The sets of fields that define a link. */
const SETS = [
  { type: 'certificate', fields: ['cert_data', 'key_data', 'encrypted_pw'] },
  { type: 'certificate', fields: ['pkcs12_data', 'encrypted_pw'] },
  { type: 'id_password', fields: ['login_id', 'login_password'] },
  { type: 'consent', fields: ['authorization_code', 'state'] },
] as const satisfies readonly { readonly type: LinkType; readonly fields: readonly string[] }[];

type FieldSet = (typeof SETS)[number];
type CredentialField = FieldSet['fields'][number];
/** `random_enc` may accompany a certificate. */
export type CredentialFields = Readonly<
  Partial<Record<CredentialField | 'random_enc', string | null>>
>;

/** Exactly one complete set with all its values. */
export type GivenCredential = FieldSet extends infer Set
  ? Set extends FieldSet
    ? { readonly type: Set['type'] } & Readonly<Record<Set['fields'][number], string>>
    : never
  : never;

/**
 * The set of fields that a link request contains.
 * @throws ServiceError VALIDATION_INVALID_FIELD 422 for none, an incomplete one, parts of several, or `random_enc`
 * beside another than a certificate
 */
export function givenCredential(fields: CredentialFields): GivenCredential {
  const { type, fields: names } = setOf(fields);
  const missing = names
    .filter((name) => !fields[name])
    .map(
      (name): FieldViolation => ({ loc: ['body', name], msg: 'Field required', type: 'missing' }),
    );
  const tooMany = type !== 'certificate' && fields.random_enc ? [CERTIFICATE_ONLY] : [];
  const violations = [...missing, ...tooMany];
  if (violations.length > 0) throw invalidShape(violations);
  const values = Object.fromEntries(names.map((name) => [name, fields[name]]));
  // The check above has shown that every field of the set exists.
  return { type, ...values } as GivenCredential;
}

function setOf(fields: CredentialFields): FieldSet {
  const given = ALL_FIELDS.filter((name) => fields[name] !== undefined && fields[name] !== null);
  const holds = ({ fields: names }: FieldSet) =>
    given.every((name) => names.some((one) => one === name));
  const set = given.length > 0 ? SETS.find(holds) : undefined;
  if (set) return set;
  throw invalidShape([
    {
      loc: ['body'],
      msg: 'Exactly one of cert_data, key_data and encrypted_pw; pkcs12_data and encrypted_pw; login_id and login_password; authorization_code and state is needed',
      type: 'value_error',
    },
  ]);
}

const CERTIFICATE_ONLY: FieldViolation = {
  loc: ['body', 'random_enc'],
  msg: 'Belongs to a certificate only',
  type: 'value_error',
};

const ALL_FIELDS: readonly CredentialField[] = SETS.flatMap(({ fields }) => fields);
