import type { AppCredentialRecord, AppCredentialRotateResponse } from '@changgu/contract';
import { call } from '../../api/call.ts';
import { Confirm } from '../../components/dialog.tsx';
import { SelectField } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { keysTexts } from './keys-texts.ts';

/** How long the old secret keeps working, up to the service's maximum. */
const OVERLAP_HOURS = [24, 1, 168, 0] as const;

interface Props {
  readonly of: AppCredentialRecord;
  readonly onClose: () => void;
  readonly onRotated: (key: AppCredentialRotateResponse) => void;
}

export function RotateKey({ of: key, onClose, onRotated }: Props) {
  const words = keysTexts();
  return (
    <Confirm
      title={words.rotateTitle}
      confirmLabel={words.rotate}
      onClose={onClose}
      consequences={
        <>
          <p>{words.rotateWhat(key.label)}</p>
          <p>
            <code>{key.client_id}</code>
          </p>
        </>
      }
      onConfirm={async (values) => {
        const rotated = await call('rotateAppCredential', {
          params: { client_id: key.client_id },
          body: { overlap_hours: Number(textOf(values, 'overlap_hours')) },
        });
        onRotated(rotated);
      }}
    >
      <SelectField
        label={words.overlap}
        name="overlap_hours"
        options={OVERLAP_HOURS.map((hours) => [String(hours), words.hours(hours)] as const)}
      />
    </Confirm>
  );
}
