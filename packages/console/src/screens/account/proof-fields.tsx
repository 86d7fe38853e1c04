import type { FactorListResponse } from '@changgu/contract';
import { canUsePasskeys } from '../../api/passkeys.ts';
import type { SecondProof } from '../../api/second-proof.ts';
import { session } from '../../api/session.ts';
import { TextField } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { factorTexts } from './factor-texts.ts';
import { SecondFactorFields, secondFactorIn } from './second-factor-fields.tsx';

/** Asks for the password and, if there is a factor, for a code or a passkey. */
export function ProofFields({ factors }: { readonly factors: FactorListResponse }) {
  const kinds = factors.items.map(({ kind }) => kind);
  const offersPasskey = canUsePasskeys && kinds.includes('passkey');
  return (
    <>
      <PasswordField />
      {kinds.length > 0 ? (
        <SecondFactorFields offersPasskey={offersPasskey} prefersPasskey />
      ) : null}
    </>
  );
}

/** Nothing where the person has no password here: the service then looks at how fresh the login is. */
export function PasswordField() {
  if (!hasPassword()) return null;
  return (
    <TextField
      label={factorTexts().password}
      name="password"
      type="password"
      required
      autocomplete="current-password"
    />
  );
}

/** @throws PasskeyCanceledError */
export async function proofIn(values: FormData): Promise<SecondProof> {
  return { ...passwordIn(values), ...(await secondFactorIn(values)) };
}

export function passwordIn(values: FormData): { readonly password?: string } {
  return hasPassword() ? { password: textOf(values, 'password') ?? '' } : {};
}

/** Not in a session that an identity provider opened. */
function hasPassword(): boolean {
  return session.value?.kind !== 'person' || session.value.has_password;
}
