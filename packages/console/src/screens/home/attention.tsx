import type { AccountLinkRecord, ServiceStateResponse } from '@changgu/contract';
import type { ComponentChildren } from 'preact';
import { call } from '../../api/call.ts';
import { may } from '../../api/may.ts';
import { session } from '../../api/session.ts';
import { useResource } from '../../api/use-resource.ts';
import { date, dateTime } from '../../app/format.ts';
import { Link } from '../../components/button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/page.tsx';
import { homeTexts } from './home-texts.ts';

const WARN_DAYS = 30;
const EVERY_MS = 30_000;

interface Item {
  readonly key: string;
  readonly to: string;
  readonly text: string;
}

/** Decisions and renewals that are due. */
export function Attention() {
  const who = session.value?.kind === 'operator' ? 'operator' : 'person';
  const facts = useResource(
    who,
    (signal) => (who === 'operator' ? ofOperator(signal) : ofPerson(signal)),
    { everyMs: EVERY_MS },
  );
  const words = homeTexts();
  return (
    <Section title={words.attention}>
      <Loaded of={facts}>
        {({ links, access, applications, deletions, troubled }) => {
          const items = [
            ...deletions.map(({ scheduled_at: at }) => ({
              key: 'deletion',
              to: 'account',
              text: words.pendingDeletion(dateTime(at)),
            })),
            ...links.flatMap(linkItems),
            ...(troubled > 0
              ? [{ key: 'troubled', to: 'service', text: words.troubled(troubled) }]
              : []),
            ...(access > 0 ? [item('access', words.pendingAccess(access))] : []),
            ...(applications > 0
              ? [item('applications', words.pendingApplications(applications))]
              : []),
          ];
          return items.length === 0 ? <p class="faint">{words.nothing}</p> : <Items of={items} />;
        }}
      </Loaded>
    </Section>
  );
}

function item(key: string, text: string): Item {
  return { key, text, to: may('decideEnvAccess') ? 'approvals' : 'account' };
}

function Items({ of: items }: { readonly of: readonly Item[] }): ComponentChildren {
  return (
    <ul class="stack">
      {items.map(({ key, to, text }) => (
        <li key={key}>
          <Link to={to}>{text}</Link>
        </li>
      ))}
    </ul>
  );
}

function linkItems(link: AccountLinkRecord): Item[] {
  const words = homeTexts();
  const { account_link_id: id, display_label: label, provider, status, cert } = link;
  const name = `${label ?? provider} (${provider})`;
  const to = `links/${id}`;
  if (status === 'SUSPENDED') return [{ key: id, to, text: words.suspended(name) }];
  const until = cert === null ? Number.POSITIVE_INFINITY : Date.parse(cert.not_after);
  const isSoon = status === 'ACTIVE' && until - Date.now() < WARN_DAYS * 86_400_000;
  return isSoon && cert !== null
    ? [{ key: id, to, text: words.expires(name, date(cert.not_after)) }]
    : [];
}

async function ofPerson(signal: AbortSignal) {
  const [links, deletions, access] = await Promise.all([
    call('listAccountLinks', { signal }),
    call('listDeletions', { signal }),
    may('listEnvAccess') ? call('listEnvAccess', { signal }) : { items: [] },
  ]);
  const pending = access.items.filter(({ status }) => status === 'PENDING').length;
  return {
    links: links.items,
    deletions: deletions.items,
    access: pending,
    applications: 0,
    troubled: 0,
  };
}

async function ofOperator(signal: AbortSignal) {
  const [access, applications, service] = await Promise.all([
    call('listEnvAccessForAdmin', { query: { status: 'PENDING' }, signal }),
    call('listIntegratorApplicationsForAdmin', { query: { status: 'SUBMITTED' }, signal }),
    call('readServiceState', { signal }),
  ]);
  return {
    links: [],
    deletions: [],
    access: access.items.length,
    applications: applications.items.length,
    // In every environment: an operator chooses none.
    troubled: countOfFailing(service),
  };
}

/** One failed job is no news, and a breaker stays half open until the next job. */
function countOfFailing({ institutions }: ServiceStateResponse): number {
  const failing = institutions.filter(({ state, maintenance }) => state === 'DOWN' || maintenance);
  return new Set(failing.map(({ provider }) => provider)).size;
}
