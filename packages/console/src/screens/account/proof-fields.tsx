import type { FactorListResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { canUsePasskeys, provePasskey } from '../../api/passkeys.ts';
import type { SecondProof } from '../../api/second-proof.ts';
import { session } from '../../api/session.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { factorTexts } from './factor-texts.ts';

/** Asks for the password and, if there is a factor, for a code or a passkey. */
export function ProofFields({ factors }: { readonly factors: FactorListResponse }) {
  const words = factorTexts();
  const kinds = factors.items.map(({ kind }) => kind);
  const offersPasskey = canUsePasskeys && kinds.includes('passkey');
  const by = useSignal(offersPasskey ? 'passkey' : 'code');
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
      {offersPasskey ? (
        <SelectField
          label={words.proveWith}
          name="by"
          value={by.value}
          options={[
            ['passkey', words.kinds.passkey],
            ['code', words.code],
          ]}
          onChange={(value) => (by.value = value)}
        />
      ) : null}
      {kinds.length > 0 && by.value === 'code' ? (
        <TextField
          label={words.code}
          hint={words.codeHint}
          name="factor_code"
          required
          autocomplete="one-time-code"
        />
      ) : null}
    </>
  );
}

/** @throws PasskeyCanceledError */
export async function proofIn(values: FormData): Promise<SecondProof> {
  const own = hasPassword() ? { password: textOf(values, 'password') ?? '' } : {};
  if (textOf(values, 'by') === 'passkey') return { ...own, passkey: await provePasskey() };
  const code = textOf(values, 'factor_code')?.trim();
  return code === undefined ? own : { ...own, factor_code: code };
}

/** Not in a session that an identity provider opened. */
function hasPassword(): boolean {
  return session.value?.kind !== 'person' || session.value.has_password;
}
