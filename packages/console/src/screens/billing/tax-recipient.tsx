import type { OfflineProfileRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { businessNumber } from '../../app/format.ts';
import { environment } from '../../app/preferences.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { Facts, Section } from '../../components/page.tsx';
import { billingTexts } from './billing-texts.ts';

interface Props {
  readonly organizationId: number;
  readonly profiles: readonly OfflineProfileRecord[];
  readonly onChanged: () => void;
}

/** The recipient of the tax invoices in the chosen environment. */
export function TaxRecipient({ organizationId, profiles, onChanged }: Props) {
  const words = billingTexts();
  const isChanging = useSignal(false);
  const profile = profiles.find(({ env_scope: scope }) => scope === environment.value);
  return (
    <Section
      title={words.recipient}
      actions={
        may('replaceOfflineProfile') ? (
          <Button onClick={() => (isChanging.value = true)}>
            {profile === undefined ? words.nameRecipient : words.changeRecipient}
          </Button>
        ) : null
      }
    >
      {profile === undefined ? (
        <p class="faint">{words.noRecipient}</p>
      ) : (
        <Facts
          of={[
            [words.company, profile.company_name],
            [
              words.businessNumber,
              <span key="number" class="whole">
                {businessNumber(profile.business_number)}
              </span>,
            ],
            [words.taxEmail, profile.tax_email],
            [words.terms, words.days(profile.payment_terms_days)],
          ]}
        />
      )}
      {isChanging.value ? (
        <RecipientForm
          profile={profile}
          onClose={() => (isChanging.value = false)}
          onSubmit={async (body) => {
            await call('replaceOfflineProfile', {
              params: { organization_id: organizationId },
              body,
            });
            isChanging.value = false;
            onChanged();
          }}
        />
      ) : null}
    </Section>
  );
}

interface FormProps {
  readonly profile: OfflineProfileRecord | undefined;
  readonly onClose: () => void;
  readonly onSubmit: (
    body: Omit<OfflineProfileRecord, 'organization_id' | 'env_scope'>,
  ) => Promise<unknown>;
}

const USUAL_TERMS_DAYS = 30;

function RecipientForm({ profile, onClose, onSubmit }: FormProps) {
  const words = billingTexts();
  return (
    <Dialog title={words.recipient} onClose={onClose}>
      <Form
        submitLabel={words.saveRecipient}
        onSubmit={(values) =>
          onSubmit({
            company_name: textOf(values, 'company_name') ?? '',
            business_number: textOf(values, 'business_number') ?? '',
            tax_email: textOf(values, 'tax_email') ?? '',
            payment_terms_days: Number(textOf(values, 'payment_terms_days') ?? USUAL_TERMS_DAYS),
          })
        }
      >
        <TextField
          label={words.company}
          name="company_name"
          required
          maxLength={200}
          value={profile?.company_name ?? ''}
        />
        <TextField
          label={words.businessNumber}
          name="business_number"
          required
          maxLength={12}
          inputMode="numeric"
          value={profile?.business_number ?? ''}
        />
        <TextField
          label={words.taxEmail}
          name="tax_email"
          type="email"
          required
          maxLength={320}
          value={profile?.tax_email ?? ''}
        />
        <TextField
          label={words.terms}
          name="payment_terms_days"
          type="number"
          required
          value={String(profile?.payment_terms_days ?? USUAL_TERMS_DAYS)}
        />
      </Form>
    </Dialog>
  );
}
