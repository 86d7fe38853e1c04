import type { AccountLinkRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { nameOf, useInstitutions } from '../../api/institution-list.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { businessNumber, date, dateTime } from '../../app/format.ts';
import { navigate } from '../../app/router.ts';
import type { ScreenProps } from '../../app/screens.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, Link } from '../../components/button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Section } from '../../components/page.tsx';
import { LINK_TONES, linkTexts } from '../links/link-texts.ts';
import { RegisterLink } from '../links/register-link.tsx';
import { BankAccounts } from './bank-accounts.tsx';
import { linkScreenTexts } from './link-screen-texts.ts';
import { SelectedAssets } from './selected-assets.tsx';
import { Unlink } from './unlink.tsx';

export function LinkScreen({ id }: ScreenProps) {
  const words = linkScreenTexts();
  const isAsking = useSignal(false);
  const isRenewing = useSignal(false);
  const institutions = useInstitutions().data?.items;
  const link = useResource(id, (signal) =>
    call('readAccountLink', { params: { account_link_id: id }, signal }),
  );
  const { data } = link;
  const canUnlink = data !== undefined && data.status !== 'UNLINKED' && may('unlinkCredential');
  const institution = institutions?.find(({ provider }) => provider === data?.provider);
  return (
    <Page
      title={data?.display_label ?? nameOf(institutions, data?.provider ?? id)}
      about={id}
      actions={
        <>
          <Link to="links">{words.back}</Link>
          <Link to="jobs" query={{ link: id }}>
            {words.jobs}
          </Link>
          {canUnlink && may('linkCredential') ? (
            <Button onClick={() => (isRenewing.value = true)}>{words.renew}</Button>
          ) : null}
          {canUnlink ? (
            <Button look="danger" onClick={() => (isAsking.value = true)}>
              {words.unlink}
            </Button>
          ) : null}
        </>
      }
    >
      <Loaded of={link}>
        {(record) => (
          <>
            <Section title={words.summary}>
              <LinkFacts link={record} institutionName={nameOf(institutions, record.provider)} />
            </Section>
            {institution?.kind === 'bank' && record.status !== 'UNLINKED' ? (
              <BankAccounts accountLinkId={id} />
            ) : null}
            {record.status === 'UNLINKED' ? null : (
              <SelectedAssets link={record} onDone={link.reload} />
            )}
            {isRenewing.value ? (
              <Renew
                link={record}
                onClose={() => (isRenewing.value = false)}
                onDone={link.reload}
              />
            ) : null}
            {isAsking.value ? (
              <Unlink link={record} onClose={() => (isAsking.value = false)} onDone={link.reload} />
            ) : null}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface RenewProps {
  readonly link: AccountLinkRecord;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Another person's credential makes another link, which is shown then. */
function Renew({ link, onClose, onDone }: RenewProps) {
  return (
    <RegisterLink
      of={link}
      onClose={onClose}
      onRegistered={(registered) => {
        if (registered === link.account_link_id) onDone();
        else navigate(`links/${registered}`);
      }}
    />
  );
}

interface FactsProps {
  readonly link: AccountLinkRecord;
  readonly institutionName: string;
}

function LinkFacts({ link, institutionName }: FactsProps) {
  const words = linkScreenTexts();
  const list = linkTexts();
  const { cert, status } = link;
  return (
    <Facts
      of={[
        [
          list.state,
          <Badge key="state" tone={LINK_TONES[status]}>
            {list.states[status]}
          </Badge>,
        ],
        [list.institution, institutionName],
        [list.type, list.types[link.auth_type]],
        [list.purpose, link.purpose === null ? '–' : list.purposes[link.purpose]],
        [list.primary, link.is_primary ? common().yes : common().no],
        [list.registered, dateTime(link.registered_at)],
        [words.business, <Business key="business" of={link} />],
        ...(cert === null
          ? []
          : ([
              [words.certificate, cert.subject_cn],
              [words.issuer, cert.issuer],
              [words.serial, <code key="serial">{cert.serial}</code>],
              [list.expires, date(cert.not_after)],
            ] as const)),
        ...(link.unlinked_at === null
          ? []
          : ([[words.unlinked, dateTime(link.unlinked_at)]] as const)),
      ]}
    />
  );
}

function Business({ of: link }: { readonly of: AccountLinkRecord }) {
  const { business_name: name, biz_number: number } = link;
  if (!number) return name || '–';
  return (
    <>
      {name ? `${name} · ` : null}
      <span class="whole">{businessNumber(number)}</span>
    </>
  );
}
