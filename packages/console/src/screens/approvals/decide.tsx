import type { DecisionRequest } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { Confirm } from '../../components/dialog.tsx';
import { SelectField, TextArea } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { approvalTexts } from './approval-texts.ts';

interface Props {
  /** What an approval opens. */
  readonly approval: string;
  readonly onClose: () => void;
  readonly onDecide: (decision: DecisionRequest) => Promise<unknown>;
}

export function Decide({ approval, onClose, onDecide }: Props) {
  const words = approvalTexts();
  const decision = useSignal<DecisionRequest['decision']>('APPROVED');
  const isApproval = decision.value === 'APPROVED';
  return (
    <Confirm
      title={words.decide}
      confirmLabel={isApproval ? words.approve : words.reject}
      consequences={<p>{isApproval ? approval : words.rejectWhat}</p>}
      onClose={onClose}
      onConfirm={(values) =>
        onDecide({ decision: decision.value, note: textOf(values, 'note') ?? null })
      }
    >
      <SelectField
        label={words.decide}
        value={decision.value}
        options={[
          ['APPROVED', words.approve],
          ['REJECTED', words.reject],
        ]}
        onChange={(value) => (decision.value = value === 'REJECTED' ? 'REJECTED' : 'APPROVED')}
      />
      <TextArea label={words.note} name="note" rows={2} maxLength={500} />
    </Confirm>
  );
}
