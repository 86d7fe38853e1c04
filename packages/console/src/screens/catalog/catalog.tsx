import { type InstitutionRecord, searchForm } from '@changgu/contract';
import { useSignal } from '@preact/signals';
import { useInstitutions } from '../../api/institution-list.ts';
import { Badge } from '../../components/badge.tsx';
import { Link } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { catalogTexts } from './catalog-texts.ts';

export function Catalog() {
  const words = catalogTexts();
  const search = useSignal('');
  const institutions = useInstitutions();
  const wanted = searchForm(search.value.trim());
  return (
    <Page title={words.title} about={words.about}>
      <search class="filters">
        <TextField
          label={words.search}
          name="search"
          type="search"
          onInput={(value) => (search.value = value)}
        />
      </search>
      <Loaded of={institutions}>
        {({ items }) => {
          const found = items
            .map((institution) => matching(institution, wanted))
            .filter(({ actions }) => actions.length > 0);
          if (found.length === 0) return <Empty title={words.nothing} />;
          return found.map((institution) => (
            <Section key={institution.provider} title={institution.name}>
              <ActionTable institution={institution} />
            </Section>
          ));
        }}
      </Loaded>
    </Page>
  );
}

function matching(institution: InstitutionRecord, wanted: string): InstitutionRecord {
  const actions = institution.actions.filter(({ action, name }) =>
    searchForm(`${institution.name} ${name} ${action}`).includes(wanted),
  );
  return { ...institution, actions };
}

function ActionTable({ institution }: { readonly institution: InstitutionRecord }) {
  const words = catalogTexts();
  return (
    <Table
      caption={institution.name}
      rows={institution.actions}
      keyOf={({ action }) => action}
      columns={[
        {
          title: words.action,
          width: '36%',
          isHeading: true,
          cell: ({ action, name }) => <Link to={`catalog/${action}`}>{name}</Link>,
        },
        { title: words.id, width: '42%', cell: ({ action }) => <code>{action}</code> },
        {
          title: words.effect,
          width: '14%',
          cell: ({ irreversible }) =>
            irreversible ? <Badge tone="warn">{words.irreversible}</Badge> : words.reads,
        },
        { title: words.tokens, numeric: true, cell: ({ usage_tokens: tokens }) => tokens },
      ]}
    />
  );
}
