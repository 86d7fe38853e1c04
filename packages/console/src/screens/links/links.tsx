import type { AccountLinkRecord } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { nameOf, useInstitutions } from '../../api/institution-list.ts';
import { may } from '../../api/may.ts';
import { useResource } from '../../api/use-resource.ts';
import { date } from '../../app/format.ts';
import { navigate } from '../../app/router.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, Link } from '../../components/button.tsx';
import { CheckField } from '../../components/field.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { LINK_TONES, linkTexts } from './link-texts.ts';
import { RegisterLink } from './register-link.tsx';

export function Links() {
  const words = linkTexts();
  const isRegistering = useSignal(false);
  const withUnlinked = useSignal(false);
  const links = useResource('', (signal) => call('listAccountLinks', { signal }));
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        may('linkCredential') ? (
          <Button look="primary" onClick={() => (isRegistering.value = true)}>
            {words.register}
          </Button>
        ) : null
      }
    >
      <Section title={words.caption}>
        <Loaded of={links}>
          {({ items }) => {
            const shown = items.filter(({ status }) => withUnlinked.value || status !== 'UNLINKED');
            return shown.length === 0 ? (
              <Empty title={words.empty}>
                <p>{words.emptyAdvice}</p>
              </Empty>
            ) : (
              <LinkTable links={shown} />
            );
          }}
        </Loaded>
        <CheckField
          label={words.showUnlinked}
          checked={withUnlinked.value}
          onChange={(checked) => (withUnlinked.value = checked)}
        />
      </Section>
      {isRegistering.value ? (
        <RegisterLink
          onClose={() => (isRegistering.value = false)}
          onRegistered={(id) => navigate(`links/${id}`)}
        />
      ) : null}
    </Page>
  );
}

function LinkTable({ links }: { readonly links: readonly AccountLinkRecord[] }) {
  const words = linkTexts();
  const institutions = useInstitutions().data?.items;
  return (
    <Table
      caption={words.caption}
      rows={links}
      keyOf={({ account_link_id: id }) => id}
      columns={[
        {
          title: words.name,
          isHeading: true,
          cell: ({
            account_link_id: id,
            display_label: label,
            provider,
            is_primary: isPrimary,
          }) => (
            <span class="row">
              <Link to={`links/${id}`}>{label ?? nameOf(institutions, provider)}</Link>
              {isPrimary ? <Badge tone="busy">{words.primary}</Badge> : null}
            </span>
          ),
        },
        { title: words.institution, cell: ({ provider }) => nameOf(institutions, provider) },
        { title: words.type, cell: ({ auth_type: type }) => words.types[type] },
        {
          title: words.purpose,
          cell: ({ purpose }) => (purpose === null ? '–' : words.purposes[purpose]),
        },
        {
          title: words.state,
          cell: ({ status }) => <Badge tone={LINK_TONES[status]}>{words.states[status]}</Badge>,
        },
        { title: words.expires, cell: ({ cert }) => date(cert?.not_after ?? null) },
        { title: words.registered, cell: ({ registered_at: at }) => date(at) },
      ]}
    />
  );
}
