import { isSensitiveName, nearest } from '@changgu/contract';
import type { CatalogueAction } from '@changgu/contract/catalogue';
import type { FieldViolation } from '../../rules/service-error.ts';

/** An argument that does not exist, in words that lead to one that does. */
export function unknownArgument(
  loc: FieldViolation['loc'],
  known: readonly string[],
  encryptedFields: CatalogueAction['encryptedFields'] = {},
): FieldViolation {
  return {
    loc,
    msg: adviceOn(String(loc.at(-1)), known, encryptedFields),
    type: 'extra_forbidden',
  };
}

function adviceOn(
  name: string,
  known: readonly string[],
  encryptedFields: CatalogueAction['encryptedFields'],
): string {
  if (Object.hasOwn(encryptedFields, name)) {
    return `A secret is never an argument: the calling program encrypts it and sends it as encrypted_fields.${name}. Without one, the registered value is used`;
  }
  if (isSensitiveName(name)) {
    return 'A secret is never an argument: the person registers it once with the account link, in the console. account_link_id names the link';
  }
  const near = nearest(name, known);
  if (near !== null) return `There is no such argument; did you mean ${near}?`;
  const listed = known.length === 0 ? 'there are none' : `known: ${known.join(', ')}`;
  return `There is no such argument; ${listed}`;
}

/** The same for what a check of a schema found. Names of things inside an argument are not arguments. */
export function explainUnknown(
  violations: readonly FieldViolation[],
  { properties = {} }: { readonly properties?: object | undefined },
  depth: number,
): FieldViolation[] {
  return violations.map((violation) =>
    violation.type === 'extra_forbidden' && violation.loc.length === depth
      ? unknownArgument(violation.loc, Object.keys(properties))
      : violation,
  );
}
