import type { OrganizationRecord, SubscriptionRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useResource } from '../../api/use-resource.ts';
import { won } from '../../app/format.ts';
import { Confirm } from '../../components/dialog.tsx';
import { SelectField } from '../../components/field.tsx';
import { textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { organizationsTexts } from './organizations-texts.ts';

interface Props {
  readonly organization: OrganizationRecord;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

type Status = SubscriptionRecord['status'];
const CHOICES = ['ACTIVE', 'PAUSED', 'CANCELED'] as const satisfies readonly Status[];

/** Puts an organization on a plan, renews, pauses or ends its subscription. */
export function Subscribe({ organization, onClose, onDone }: Props) {
  const words = organizationsTexts();
  const status = useSignal<(typeof CHOICES)[number]>('ACTIVE');
  const plan = useSignal(organization.plan_code);
  const plans = useResource('', (signal) => call('listPlans', { signal }));
  const isOpen = ['ACTIVE', 'PAUSED'].includes(organization.subscription_status ?? '');
  const isSame = isOpen && plan.value === organization.plan_code;
  return (
    <Confirm
      title={words.subscribeTitle(organization.name)}
      confirmLabel={words.save}
      consequences={<p>{words.consequences(status.value, isOpen, isSame)}</p>}
      onClose={onClose}
      onConfirm={async (values) => {
        await call('setSubscription', {
          params: { organization_id: organization.organization_id },
          body: { plan_code: textOf(values, 'plan_code') ?? '', status: status.value },
        });
        onDone();
      }}
    >
      <Loaded of={plans}>
        {({ items }) => (
          <SelectField
            label={words.plan}
            name="plan_code"
            value={plan.value}
            options={items.map(
              ({ plan_code: code, plan_name: name, price }) =>
                [code, `${name} (${won(price.amount_minor)})`] as const,
            )}
            onChange={(code) => (plan.value = code)}
          />
        )}
      </Loaded>
      <SelectField
        label={words.subscription}
        value={status.value}
        options={CHOICES.map((each) => [each, words.acts[each]] as const)}
        onChange={(value) => (status.value = CHOICES.find((each) => each === value) ?? 'ACTIVE')}
      />
    </Confirm>
  );
}
