import { type AccountLink, isChangguError, type MembershipInfo } from '@changgu/sdk';
import type { Bridge } from '../../bridge.ts';
import { koreanDay } from '../../clock.ts';
import { answer } from '../answer.ts';
import { READS, type Tool } from '../tool.ts';

/** Accounts are listed of so many links; the rest is one call away at the command line. */
const MAX_LINKS = 20;

/** Is the key valid, what may it do, which links and accounts are there? */
export function sessionStatus(bridge: Bridge): Tool {
  return {
    name: 'session_status',
    title: '연결 상태',
    description:
      'Call this first. Says whether the client key is valid, in which environment calls run, how many usage tokens remain, and which account links and bank accounts are registered. Costs nothing.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: READS,
    run: () =>
      answer(bridge, async () => {
        const membership = await bridge.client.membership.me();
        const rights = await bridge.rights.read();
        const { links, warnings } = await readLinks(bridge);
        return {
          data: {
            key: {
              valid: true,
              read_only: rights.readOnly || bridge.settings.readOnly,
              allowed_services: rights.allowedActions ?? 'all',
              irreversible_services: rights.mayRunIrreversible && !bridge.settings.readOnly,
            },
            env_scope: bridge.settings.envScope,
            ...koreanDay(bridge.clock),
            tokens_remaining: remainingTokens(membership),
            links,
          },
          ...warningsOf(bridge, warnings),
          next: [
            { tool: 'login_help', arguments: {}, why: 'how to log in at an institution' },
            { tool: 'search_services', arguments: { query: '' }, why: 'what can be done' },
          ],
        };
      }),
  };
}

/** A submission needs tokens of both periods; production has no daily limit. */
function remainingTokens({ quotaAfter, quotaMonthAfter }: MembershipInfo): number | 'unlimited' {
  const left = [quotaAfter, quotaMonthAfter].flatMap((quota) => quota?.remaining ?? []);
  return left.length === 0 ? 'unlimited' : Math.min(...left);
}

function warningsOf({ offering, settings }: Bridge, warnings: readonly string[]) {
  const { leftOutTools } = offering.now;
  const all = [
    ...(settings.envScope === 'sandbox' ? ['Sandbox: results are mock data.'] : []),
    ...(leftOutTools.length === 0
      ? []
      : [`No room in the list of tools for ${leftOutTools.join(', ')}: call run_service.`]),
    ...warnings,
  ];
  return all.length === 0 ? {} : { warnings: all };
}

const NO_LINKS = {
  links: [],
  warnings: ['Links may not be listed here. Omit account_link_id to use the primary one.'],
};

async function readLinks(bridge: Bridge): Promise<{ links: unknown[]; warnings: string[] }> {
  if (!bridge.mayReadLinks) return NO_LINKS;
  try {
    const { items } = await bridge.client.credentials.list();
    // Which ones real_test takes depends on the service's addresses; production never takes one for tests.
    const isProduction = bridge.settings.envScope === 'production';
    const usable = items.filter(({ purpose }) => !(isProduction && purpose === 'test'));
    const shown = usable.slice(0, MAX_LINKS);
    const links = await Promise.all(shown.map((link) => describeLink(bridge, link)));
    const left = usable.length - shown.length;
    const unread = links.filter((link) => 'accounts' in link && link.accounts === undefined);
    const warnings = [
      ...(left > 0 ? [`${left} further links are not shown.`] : []),
      ...(unread.length > 0
        ? [`The accounts of some links could not be read: ${unread.length}.`]
        : []),
    ];
    return { links, warnings };
  } catch (error) {
    if (
      !isChangguError(error) ||
      (error.name !== 'PermissionError' && error.name !== 'AuthenticationError')
    )
      throw error;
    return NO_LINKS;
  }
}

async function describeLink(bridge: Bridge, link: AccountLink): Promise<object> {
  const { provider, accountLinkId, authType, isPrimary, purpose, status } = link;
  const isBank = bridge.offering.now.institutions.some(
    (one) => one.provider === provider && one.kind === 'bank',
  );
  return {
    institution: provider,
    account_link_id: accountLinkId,
    kind: authType,
    is_primary: isPrimary,
    purpose,
    status,
    ...(isBank ? { accounts: await readAccounts(bridge, accountLinkId) } : {}),
  };
}

/**
 * Listing accounts needs a separate permission; without it the default account is used. Undefined where one link
 * cannot be read, because it has just been deleted for example: the others are shown all the same.
 */
async function readAccounts(
  { client }: Bridge,
  accountLinkId: string,
): Promise<object[] | undefined> {
  try {
    const { items } = await client.credentials.bankAccounts.list(accountLinkId);
    return items.map((account) => ({
      bank_account_credential_id: account.bankAccountCredentialId,
      masked_account_no: account.maskedAccountNo,
      is_default: account.isDefault,
      status: account.status,
    }));
  } catch (error) {
    if (!isChangguError(error)) throw error;
    return error.name === 'PermissionError' ? [] : undefined;
  }
}
