import type { FactorAddResponse, FactorListResponse } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { CopyButton } from '../../components/code.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { factorTexts } from './factor-texts.ts';
import { ProofFields, proofIn } from './proof-fields.tsx';
import { QrCode } from './qr-code.tsx';

interface Props {
  readonly factors: FactorListResponse;
  readonly onClose: () => void;
  readonly onAdded: (codes: readonly string[]) => void;
}

/** First the proof of identity, then the secret and its first code. */
export function AddApp({ factors, onClose, onAdded }: Props) {
  const words = factorTexts();
  const begun = useSignal<FactorAddResponse | null>(null);
  return (
    <Dialog title={words.addApp} onClose={onClose}>
      {begun.value === null ? (
        <Form
          key="proof"
          submitLabel={words.continue}
          onSubmit={async (values) => {
            const proof = await proofIn(values);
            begun.value = await call('addFactor', { body: { kind: 'totp', ...proof } });
          }}
        >
          <ProofFields factors={factors} />
        </Form>
      ) : (
        <Confirmation begun={begun.value} onAdded={onAdded} />
      )}
    </Dialog>
  );
}

interface ConfirmationProps {
  readonly begun: FactorAddResponse;
  readonly onAdded: (codes: readonly string[]) => void;
}

function Confirmation({ begun, onAdded }: ConfirmationProps) {
  const words = factorTexts();
  return (
    <>
      <p>{words.scan}</p>
      <QrCode text={begun.otpauth_url} label={words.qr} />
      <div class="row">
        <span class="faint">{words.secret}</span>
        <CopyButton text={begun.secret} label={words.secret} />
      </div>
      <code class="secret">{begun.secret.match(/.{1,4}/g)?.join(' ')}</code>
      <Form
        key="code"
        submitLabel={words.confirm}
        onSubmit={async (values) => {
          const { recovery_codes } = await call('confirmFactor', {
            params: { factor_id: begun.factor_id },
            body: { code: textOf(values, 'code')?.trim() ?? '' },
          });
          onAdded(recovery_codes);
        }}
      >
        <TextField
          label={words.sixDigits}
          name="code"
          required
          inputMode="numeric"
          autocomplete="one-time-code"
        />
      </Form>
    </>
  );
}
