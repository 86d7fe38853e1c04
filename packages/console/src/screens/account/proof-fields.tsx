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
  const words = factorTexts();
  const kinds = factors.items.map(({ kind }) => kind);
  const offersPasskey = canUsePasskeys && kinds.includes('passkey');
  return (
    <>
      {hasPassword() ? (
        <TextField
          label={words.password}
          name="password"
          type="password"
          required
          autocomplete="current-password"
        />
      ) : null}
      {kinds.length > 0 ? (
        <SecondFactorFields offersPasskey={offersPasskey} prefersPasskey />
      ) : null}
    </>
  );
}

/** @throws PasskeyCanceledError */
export async function proofIn(values: FormData): Promise<SecondProof> {
  const own = hasPassword() ? { password: textOf(values, 'password') ?? '' } : {};
  return { ...own, ...(await secondFactorIn(values)) };
}

/** Not in a session that an identity provider opened. */
function hasPassword(): boolean {
  return session.value?.kind !== 'person' || session.value.has_password;
}
