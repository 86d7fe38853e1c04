import { useSignal } from '@preact/signals';
import { provePasskey } from '../../api/passkeys.ts';
import type { SecondProof } from '../../api/second-proof.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { factorTexts } from './factor-texts.ts';

interface SecondFactorProps {
  /** Otherwise only a code can be entered. */
  readonly offersPasskey: boolean;
  /** Whether the passkey comes first. */
  readonly prefersPasskey: boolean;
}

export function SecondFactorFields({ offersPasskey, prefersPasskey }: SecondFactorProps) {
  const words = factorTexts();
  const by = useSignal(offersPasskey && prefersPasskey ? 'passkey' : 'code');
  return (
    <>
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
      {by.value === 'code' ? (
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

/**
 * What was entered; nothing where the fields are not shown.
 * @throws PasskeyCanceledError
 */
export async function secondFactorIn(values: FormData): Promise<Omit<SecondProof, 'password'>> {
  if (textOf(values, 'by') === 'passkey') return { passkey: await provePasskey() };
  const code = textOf(values, 'factor_code')?.trim();
  return code === undefined ? {} : { factor_code: code };
}
