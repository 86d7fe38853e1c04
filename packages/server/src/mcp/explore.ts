import { type CatalogueAction, portableParams, searchActions } from '@changgu/contract/catalogue';
import type { AccountLinkRecord } from '@changgu/contract/schemas';
import pLimit from 'p-limit';
import { listBankAccounts } from '../credentials/bank-accounts.ts';
import { linkReach } from '../credentials/link-reach.ts';
import { listAccountLinks } from '../credentials/link-records.ts';
import { kstDay } from '../rules/kst.ts';
import { purposeOf, serves } from '../rules/links/link-purpose.ts';
import type { Caller } from './caller.ts';
import type { McpDependencies } from './mcp-dependencies.ts';
import { playNote } from './play-note.ts';
import { isListed, isOffered } from './tools/listed-tools.ts';
import { CORE_TOOLS, toolNameOf } from './tools/tool-names.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

const LINKS_AT_A_TIME = 8;
/** Accounts are listed for at most this many links. */
const MAX_LINKS = 50;
const PAGE_SIZE = 20;

/** Today's date, what this key may do, and the links that this environment takes, with their accounts. */
export async function listAccounts(
  { store, institutions, addresses }: McpDependencies,
  { principal, envScope, language }: Caller,
  { provider }: Arguments,
): Promise<Answer> {
  const { organizationId, readOnly, allowedActions, allowIrreversibleTools } = principal;
  const asked = typeof provider === 'string' ? provider : undefined;
  const { items } = await listAccountLinks(
    store,
    organizationId,
    asked,
    linkReach(principal, addresses),
  );
  const usable = items.filter(
    ({ status, purpose, provider: of }) =>
      status !== 'UNLINKED' && serves(purpose, purposeOf(envScope, addresses.origins(of))),
  );
  const banks = new Set(institutions.flatMap((one) => (one.kind === 'bank' ? [one.provider] : [])));
  const limit = pLimit(LINKS_AT_A_TIME);
  const accountsOf = async ({ account_link_id: id, provider: of }: AccountLinkRecord) =>
    banks.has(of) ? (await listBankAccounts(store, organizationId, id)).items : null;
  const links = usable
    .slice(0, MAX_LINKS)
    .map((link) => limit(async () => linkAnswer(link, await accountsOf(link))));
  return {
    ...(await todayOf(store)),
    env_scope: envScope,
    ...playNote({ envScope, language }),
    key: {
      allowed_actions: allowedActions ?? 'all',
      irreversible_actions: allowIrreversibleTools && !readOnly,
    },
    links: await Promise.all(links),
    ...(usable.length > MAX_LINKS ? { links_not_shown: usable.length - MAX_LINKS } : {}),
  };
}

/** Institutions count days in Korea. */
async function todayOf({ clock }: Pick<McpDependencies['store'], 'clock'>) {
  return { today: kstDay(await clock.now()), time_zone: 'Asia/Seoul' };
}

type AccountList = Awaited<ReturnType<typeof listBankAccounts>>['items'];

function linkAnswer(link: AccountLinkRecord, accounts: AccountList | null): Answer {
  const { provider, account_link_id, auth_type, is_primary, purpose, status, business_name } = link;
  return {
    provider,
    account_link_id,
    auth_type,
    is_primary,
    purpose,
    status,
    ...(business_name === null ? {} : { business_name }),
    ...(accounts === null
      ? {}
      : {
          accounts: accounts.map((account) => ({
            bank_account_credential_id: account.bank_account_credential_id,
            masked_account_no: account.masked_account_no,
            is_default: account.is_default,
            status: account.status,
          })),
        }),
  };
}

/** Finds actions by the words that people use. */
export function findActions(
  { institutions }: McpDependencies,
  caller: Caller,
  { query, cursor }: Arguments,
): Answer {
  const { principal, language } = caller;
  const offered = institutions
    .flatMap(({ actions }) => actions)
    .filter((action) => isOffered(principal, action));
  const found = searchActions(offered, institutions, String(query));
  const from = typeof cursor === 'number' ? cursor : 0;
  const end = from + PAGE_SIZE;
  return {
    found: found.length,
    actions: found.slice(from, end).map((action) => ({
      action: action.id,
      title: action.title[language],
      ...toolsOf(institutions, caller, action),
      ...(action.irreversible ? { irreversible: true } : {}),
    })),
    ...(found.length > end ? { next_page: { tool_call: pageCall(query, end) } } : {}),
  };
}

function pageCall(query: unknown, cursor: number) {
  return { name: CORE_TOOLS.search, arguments: { query, cursor } };
}

/** The action's tool and its login's, where the caller's list has them; the login's id otherwise. */
function toolsOf(
  institutions: McpDependencies['institutions'],
  caller: Caller,
  action: CatalogueAction,
): Answer {
  const { id, loginAction } = action;
  const listed = isListed(institutions, caller, action);
  return {
    ...(listed ? { tool: toolNameOf(id) } : {}),
    ...(loginAction === null ? {} : { login: listed ? toolNameOf(loginAction) : loginAction }),
  };
}

/** One action in full. */
export async function describeAction(
  { store, institutions }: Pick<McpDependencies, 'store' | 'institutions'>,
  action: CatalogueAction,
  caller: Caller,
): Promise<Answer> {
  const { language } = caller;
  return {
    ...(await todayOf(store)),
    action: action.id,
    ...toolsOf(institutions, caller, action),
    title: action.title[language],
    description: action.description[language],
    params: portableParams(action.params),
    required: action.params.required ?? [],
    result: action.result.properties,
    irreversible: action.irreversible,
    selects_account: action.selectsAccount,
    usage_tokens: action.usageTokens,
    ...(action.file === null ? {} : { file: action.file.format }),
  };
}
