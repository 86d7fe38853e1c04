import type {
  AccountLinkRecord,
  ConsentUrlRequest,
  InstitutionRecord,
  LinkRequest,
} from '@changgu/contract';
import { type Signal, useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { useInstitutions } from '../../api/institution-list.ts';
import { Dialog } from '../../components/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../components/field.tsx';
import { Form, textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { CertificateFields, filesOf } from './certificate-fields.tsx';
import { ConsentFields } from './consent-fields.tsx';
import { certificateFields, encrypted } from './encrypt.ts';
import { linkTexts } from './link-texts.ts';
import { registerTexts } from './register-texts.ts';

type LinkType = InstitutionRecord['link_types'][number];

interface Props {
  /** Renews this link instead of creating another. */
  readonly of?: AccountLinkRecord;
  readonly onClose: () => void;
  readonly onRegistered: (accountLinkId: string) => void;
}

export function RegisterLink(props: Props) {
  const words = registerTexts();
  const institutions = useInstitutions();
  return (
    <Dialog title={props.of ? words.renew : words.title} onClose={props.onClose}>
      <Loaded of={institutions}>
        {({ items }) => <RegisterForm institutions={items} {...props} />}
      </Loaded>
    </Dialog>
  );
}

interface FormProps extends Props {
  readonly institutions: readonly InstitutionRecord[];
}

function RegisterForm({ institutions, of: old, onClose, onRegistered }: FormProps) {
  const words = registerTexts();
  const provider = useSignal(old?.provider ?? institutions[0]?.provider ?? '');
  const chosenType = useSignal<LinkType | null>(old?.auth_type ?? null);
  const purpose = useSignal<string>(old?.purpose ?? '');
  const types = institutions.find((each) => each.provider === provider.value)?.link_types ?? [];
  const type = types.find((each) => each === chosenType.value) ?? types[0] ?? 'certificate';
  return (
    <Form
      submitLabel={old ? words.renewDo : words.submit}
      onSubmit={async (values) => {
        const body = {
          provider: provider.value,
          display_label: old?.display_label ?? textOf(values, 'display_label') ?? null,
          ...purposeOf(purpose.value),
          is_primary: old?.is_primary ?? values.get('is_primary') !== null,
          // The dialog has warned that the stored credential will be replaced.
          confirm: old !== undefined,
          ...businessOf(values),
          ...(await credentialOf(type, values)),
        };
        const { account_link_id: id } = await call('linkCredential', { body });
        onClose();
        onRegistered(id);
      }}
    >
      {old ? (
        <p class="consequences wide">
          {type === 'consent' ? words.renewConsentWhat : words.renewWhat}
        </p>
      ) : (
        <NewLinkChoices
          institutions={institutions}
          types={types}
          type={type}
          provider={provider}
          chosenType={chosenType}
          purpose={purpose}
        />
      )}
      {type === 'certificate' ? <CertificateFields /> : null}
      {type === 'id_password' ? <LoginFields /> : null}
      {type === 'consent' ? (
        // Another institution or purpose is another consent screen.
        <ConsentFields
          key={`${provider.value} ${purpose.value}`}
          request={consentOf(provider.value, purpose.value, old)}
        />
      ) : (
        <BusinessNumber value={old?.biz_number ?? ''} />
      )}
      {old ? null : <NewLinkFields />}
    </Form>
  );
}

interface ChoicesProps {
  readonly institutions: readonly InstitutionRecord[];
  readonly types: readonly LinkType[];
  readonly type: LinkType;
  readonly provider: Signal<string>;
  readonly chosenType: Signal<LinkType | null>;
  readonly purpose: Signal<string>;
}

/** What decides which fields follow, and where a consent is given. */
function NewLinkChoices(props: ChoicesProps) {
  const { institutions, types, type, provider, chosenType, purpose } = props;
  const words = registerTexts();
  return (
    <>
      <SelectField
        label={words.institution}
        value={provider.value}
        options={institutions.map((each) => [each.provider, each.name] as const)}
        onChange={(value) => (provider.value = value)}
      />
      <SelectField
        label={words.type}
        value={type}
        options={types.map((each) => [each, linkTexts().types[each]] as const)}
        onChange={(value) => (chosenType.value = types.find((each) => each === value) ?? null)}
      />
      <SelectField
        label={linkTexts().purpose}
        hint={words.purposeHint}
        name="purpose"
        value={purpose.value}
        options={[['', words.purposeByServer], ...PURPOSES.map(purposeOption)]}
        onChange={(value) => (purpose.value = value)}
      />
    </>
  );
}

/** What a renewal keeps as it is. */
function NewLinkFields() {
  const words = registerTexts();
  return (
    <>
      <TextField
        label={words.label}
        hint={words.labelHint}
        name="display_label"
        maxLength={100}
        wide
      />
      <CheckField label={words.primary} name="is_primary" />
    </>
  );
}

const PURPOSES = ['real', 'test'] as const;
type Purpose = (typeof PURPOSES)[number];

function purposeOption(purpose: Purpose) {
  return [purpose, linkTexts().purposes[purpose]] as const;
}

/** A renewal names its link, which knows its purpose. */
function consentOf(
  provider: string,
  purpose: string,
  old: AccountLinkRecord | undefined,
): ConsentUrlRequest {
  if (old) return { provider, account_link_id: old.account_link_id };
  return { provider, ...purposeOf(purpose) };
}

/** A renewal names the purpose of its link, because another one would be another link. */
function purposeOf(chosen: string): { readonly purpose?: Purpose } {
  const purpose = PURPOSES.find((each) => each === chosen);
  return purpose === undefined ? {} : { purpose };
}

function BusinessNumber({ value }: { readonly value: string }) {
  const words = registerTexts();
  return (
    <TextField
      label={words.business}
      hint={words.businessHint}
      name="biz_number"
      value={value}
      inputMode="numeric"
      pattern="\d{3}-?\d{2}-?\d{5}"
      autocomplete="off"
    />
  );
}

/** Left empty, a renewal keeps the number that the link has. */
function businessOf(values: FormData): { readonly biz_number?: string } {
  const number = textOf(values, 'biz_number');
  return number === undefined ? {} : { biz_number: number };
}

function LoginFields() {
  const words = registerTexts();
  return (
    <>
      <TextField label={words.loginId} name="login_id" required autocomplete="off" />
      <TextField
        label={words.loginPassword}
        hint={words.encrypted}
        name="login_password"
        type="password"
        required
        autocomplete="off"
      />
    </>
  );
}

async function credentialOf(type: LinkType, values: FormData): Promise<LinkRequest> {
  if (type === 'certificate') {
    return certificateFields(filesOf(values), textOf(values, 'key_password') ?? '');
  }
  if (type === 'id_password') {
    return encrypted({
      login_id: textOf(values, 'login_id') ?? '',
      login_password: textOf(values, 'login_password') ?? '',
    });
  }
  return {
    authorization_code: textOf(values, 'authorization_code')?.trim() ?? '',
    state: textOf(values, 'state')?.trim() ?? '',
  };
}
