import type { AuditEntry } from '@changgu/contract';
import { AUDIT_ACTS, auditActText } from '@changgu/contract/audit-acts';
import { useSignal } from '@preact/signals';
import { call } from '../../api/call.ts';
import { session } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { common } from '../../app/common-texts.ts';
import { isOffered } from '../../app/current-screen.tsx';
import { dateTime, locale } from '../../app/format.ts';
import { environment, language } from '../../app/preferences.ts';
import { navigate, place } from '../../app/router.ts';
import { screenFor } from '../../app/screens.ts';
import { Link } from '../../components/button.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Empty, Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Facts, Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { AuditActs } from './audit-acts.tsx';
import { auditTexts } from './audit-texts.ts';

const PAGE_SIZE = 50;

/** An id of 30 letters stays in one line. */
const ID_WIDTH = '240px';

/** Who did what, in which organization, and when; filters are in the address. */
export function Audit() {
  const words = auditTexts();
  const { query } = place.value;
  const [act, organization] = [query.get('act') ?? '', query.get('organization') ?? ''];
  const set = (change: Record<string, string>) =>
    navigate('audit', { act, organization, ...change }, { replace: true });
  return (
    <Page title={words.audit}>
      <search class="filters card">
        <SelectField
          label={words.act}
          name="act"
          value={act}
          options={[['', common().all], ...actsToChoose(act)]}
          onChange={(value) => set({ act: value })}
        />
        {session.value?.kind === 'operator' ? (
          <TextField
            label={words.organizationNumber}
            name="organization"
            type="search"
            inputMode="numeric"
            value={organization}
            onInput={(value) => set({ organization: value.replaceAll(/\D/g, '') })}
          />
        ) : null}
      </search>
      {/* Its verdict is about this organization, and goes with it. */}
      <AuditActs
        key={organization}
        filter={{ ...(act === '' ? {} : { act }), ...ofOrganization(organization) }}
        canCheck={session.value?.kind === 'person' || organization !== ''}
      />
      <Records key={`${act} ${organization}`} act={act} organization={organization} />
    </Page>
  );
}

/** By what people read, with the name on the wire behind it. An address may ask for an act of an older version. */
function actsToChoose(chosen: string): readonly (readonly [string, string])[] {
  const acts = new Set([...Object.keys(AUDIT_ACTS), ...(chosen === '' ? [] : [chosen])]);
  return [...acts]
    .map((act) => [act, actName(act)] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, locale()));
}

function actName(act: string): string {
  const text = auditActText(act, language.value);
  return text === act ? act : `${text} (${act})`;
}

interface RecordsProps {
  readonly act: string;
  readonly organization: string;
}

function Records({ act, organization }: RecordsProps) {
  const words = auditTexts();
  const pages = useSignal(1);
  const isOperator = session.value?.kind === 'operator';
  const records = useResource(
    `${act} ${organization}`,
    async (signal) => {
      const items: AuditEntry[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < pages.value && (page === 0 || cursor !== null); page += 1) {
        const query = {
          limit: PAGE_SIZE,
          ...(act === '' ? {} : { act }),
          ...(cursor === null ? {} : { cursor }),
        };
        const answer: { items: AuditEntry[]; next_cursor: string | null } = isOperator
          ? await call('listAudit', {
              query: { ...query, ...ofOrganization(organization) },
              signal,
            })
          : await call('listOwnAudit', { query, signal });
        items.push(...answer.items);
        cursor = answer.next_cursor;
      }
      return { items, cursor };
    },
    { version: pages.value },
  );
  return (
    <Section title={words.audit}>
      <Loaded of={records}>
        {({ items, cursor }) => (
          <>
            {items.length === 0 ? <Empty title={words.noAudit} /> : <AuditTable records={items} />}
            <More
              isThere={cursor !== null}
              isLoading={records.isLoading}
              onMore={() => (pages.value += 1)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function ofOrganization(id: string) {
  return id === '' ? {} : { organization_id: Number(id) };
}

function AuditTable({ records }: { readonly records: readonly AuditEntry[] }) {
  const words = auditTexts();
  const isOperator = session.value?.kind === 'operator';
  const organization = {
    title: words.organization,
    cell: ({ organization_id: id }: AuditEntry) => (id === null ? '–' : String(id)),
  };
  return (
    <Table
      caption={words.audit}
      rows={records}
      keyOf={({ audit_id: id }) => id}
      columns={[
        { title: words.at, cell: ({ at }) => dateTime(at) },
        { title: words.act, isHeading: true, cell: ({ act }) => <ActName of={act} /> },
        { title: words.actor, width: ID_WIDTH, cell: (each) => <Actor of={each} /> },
        ...(isOperator ? [organization] : []),
        { title: words.target, width: ID_WIDTH, cell: (each) => <Target of={each} /> },
        { title: words.details, cell: (each) => <Details of={each} /> },
      ]}
    />
  );
}

/** With its name on the wire, by which records are filtered. */
function ActName({ of: act }: { readonly of: string }) {
  const text = auditActText(act, language.value);
  return (
    <span>
      {text === act ? null : `${text} `}
      <code>{act}</code>
    </span>
  );
}

function Actor({ of: { actor_kind: kind, actor_id: id } }: { readonly of: AuditEntry }) {
  return (
    <span>
      {auditTexts().actors[kind]} <code>{id}</code>
    </span>
  );
}

/** What acts are done to that has a screen of its own. */
const FOLDERS: ReadonlyMap<string, string> = new Map([
  ['job', 'jobs'],
  ['account_link', 'links'],
  ['webhook', 'webhooks'],
]);

/** A job is shown in its own environment only, which not every act names. */
function Target({ of: { act, target, details } }: { readonly of: AuditEntry }) {
  const code = <code>{target ?? '–'}</code>;
  const [kind = ''] = act.split('.', 1);
  const folder = FOLDERS.get(kind);
  if (!target || folder === undefined || act === 'webhook.delete') return code;
  if (folder === 'jobs' && details.env_scope !== environment.value) return code;
  const path = `${folder}/${encodeURIComponent(target)}`;
  const screen = screenFor(path)?.entry;
  return screen && isOffered(screen) ? <Link to={path}>{code}</Link> : code;
}

/** The remaining fields of a record, on request. */
function Details({ of: record }: { readonly of: AuditEntry }) {
  const words = auditTexts();
  const { details, trace_id: trace, address, user_agent: agent, chain_number: number } = record;
  const facts = [
    ...Object.entries(details).map(([name, value]) => [name, plainText(value)] as const),
    [words.trace, trace],
    [words.address, address],
    [words.agent, agent],
    [words.link, number === null ? null : `${number} ${record.chain_hash}`],
  ] as const;
  return (
    <details class="details">
      <summary>{words.show}</summary>
      <Facts
        of={facts.flatMap(([name, value]) =>
          value === null ? [] : [[name, <code key={name}>{value}</code>] as const],
        )}
      />
    </details>
  );
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
