import type { FactorListResponse, FactorRecord } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { addPasskey } from '../../api/passkeys.ts';
import { leave } from '../../api/sign-in.ts';
import { Confirm, Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { factorTexts } from './factor-texts.ts';
import { ProofFields, proofIn } from './proof-fields.tsx';

interface Props {
  readonly factors: FactorListResponse;
  readonly onClose: () => void;
}

interface AddProps extends Props {
  readonly onAdded: (codes: readonly string[] | null) => void;
}

export function AddPasskey({ factors, onClose, onAdded }: AddProps) {
  const words = factorTexts();
  return (
    <Dialog title={words.addPasskey} onClose={onClose}>
      <Form
        submitLabel={words.continue}
        onSubmit={async (values) => {
          const added = await addPasskey(await proofIn(values), textOf(values, 'label'));
          onAdded(added.recovery_codes);
        }}
      >
        <TextField label={words.label} hint={words.labelHint} name="label" maxLength={100} />
        <ProofFields factors={factors} />
      </Form>
    </Dialog>
  );
}

interface OneProps extends Props {
  readonly of: FactorRecord;
}

export function RemoveFactor({ of: factor, factors, onClose }: OneProps) {
  const words = factorTexts();
  return (
    <Confirm
      title={words.removeTitle}
      confirmLabel={words.remove}
      consequences={
        <>
          <p>{words.removeWhat(factor.label ?? words.kinds[factor.kind])}</p>
          {factors.items.length === 1 ? <p>{words.removeLast}</p> : null}
        </>
      }
      onClose={onClose}
      onConfirm={async (values) => {
        const params = { factor_id: factor.factor_id };
        await call('removeFactor', { params, body: await proofIn(values) });
        leave();
      }}
    >
      <ProofFields factors={factors} />
    </Confirm>
  );
}

interface RenameProps {
  readonly of: FactorRecord;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function RenameFactor({ of: factor, onClose, onDone }: RenameProps) {
  const words = factorTexts();
  return (
    <Dialog title={words.rename} onClose={onClose}>
      <Form
        submitLabel={words.rename}
        onSubmit={async (values) => {
          const params = { factor_id: factor.factor_id };
          await call('renameFactor', { params, body: { label: textOf(values, 'label') ?? '' } });
          onDone();
          onClose();
        }}
      >
        <TextField
          label={words.label}
          hint={words.labelHint}
          name="label"
          value={factor.label ?? ''}
          maxLength={100}
          required
        />
      </Form>
    </Dialog>
  );
}

interface RenewProps extends Props {
  readonly onRenewed: (codes: readonly string[]) => void;
}

export function RenewCodes({ factors, onClose, onRenewed }: RenewProps) {
  const words = factorTexts();
  return (
    <Dialog title={words.renew} onClose={onClose}>
      <div class="consequences">
        <p>{words.renewWhat}</p>
      </div>
      <Form
        danger
        submitLabel={words.renew}
        onSubmit={async (values) => {
          const answer = await call('renewRecoveryCodes', { body: await proofIn(values) });
          onRenewed(answer.recovery_codes);
        }}
      >
        <ProofFields factors={factors} />
      </Form>
    </Dialog>
  );
}
