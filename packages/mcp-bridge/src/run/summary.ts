import { type AccountLink, isChangguError, type JobValidation } from '@changgu/sdk';
import { actSummary } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';
import type { ServiceCall } from './service-call.ts';

/** What a submission would cost and use, according to the service. */
export type Quote = Pick<JobValidation, 'accountLinkId' | 'remainingTokens'>;

/** The question for the person, in our own words only. */
export async function summaryOf(
  bridge: Bridge,
  { action, params, accountLinkId, allAccounts, bankAccountIds }: ServiceCall,
  quote: Quote | null,
): Promise<string> {
  const { offering, settings } = bridge;
  const { provider } = action;
  return actSummary({
    action,
    institution:
      offering.now.institutions.find((one) => one.provider === provider)?.title.ko ?? provider,
    params,
    envScope: settings.envScope,
    owner: await ownerOf(bridge, provider, quote?.accountLinkId ?? accountLinkId),
    accounts: allAccounts ? (bankAccountIds ?? 'all') : undefined,
    remainingTokens: quote?.remainingTokens,
  });
}

/** Not everyone may list links. */
async function ownerOf(
  { client, mayReadLinks }: Bridge,
  provider: string,
  id: string | null | undefined,
): Promise<string> {
  const unknown = `연결 ${id ?? '(대표)'}`;
  if (!mayReadLinks) return unknown;
  try {
    const { items } = await client.credentials.list({}, { totalTimeoutMs: 8_000 });
    const link = items.find((one) =>
      id ? one.accountLinkId === id : one.provider === provider && one.isPrimary,
    );
    return link ? nameOf(link) : unknown;
  } catch (error) {
    if (isChangguError(error)) return unknown;
    throw error;
  }
}

function nameOf({ businessName, bizNumber, accountLinkId }: AccountLink): string {
  const named = [businessName, bizNumber && `사업자등록번호 ${bizNumber}`].filter(Boolean);
  return named.join(', ') || `연결 ${accountLinkId}`;
}
