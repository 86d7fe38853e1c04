import { type AccountLink, isChangguError, type Job } from '@changgu/sdk';
import { credentialAdvice, nextStepOf } from '@changgu/sdk/catalogue';
import type { Bridge } from '../bridge.ts';

/** What is known of a job without asking. */
export interface JobFacts {
  readonly accountLinkId?: string | undefined;
  readonly maskedAccountNo?: string | undefined;
}

const LIMIT = { totalTimeoutMs: 4_000 };

/**
 * What a person has to correct after a job that failed by its credential: link, account and page of the console. Null
 * for any other failure.
 */
export async function rejectedCredential(
  bridge: Bridge,
  { jobId, provider, error, hadEffect }: Job,
  known: JobFacts = {},
): Promise<string | null> {
  if (error === null) return null;
  const { code, retryable } = error;
  const step = nextStepOf({ code, retryable, hadEffect }, { key: 'request_id' });
  if (step.kind !== 'fix_credential') return null;
  const submitted = await orNull(bridge.client.jobs.request(jobId, LIMIT));
  const accountLinkId = known.accountLinkId ?? submitted?.accountLinkId;
  if (!accountLinkId) return null;
  const { institutions } = bridge.offering.now;
  const link = { provider, accountLinkId };
  const [owner, account] = await Promise.all([
    ownerOf(bridge, link),
    known.maskedAccountNo ?? maskedAccount(bridge, link, submitted?.params),
  ]);
  const { language } = bridge.settings;
  const credential = {
    institution: institutions.find((one) => one.provider === provider)?.title ?? provider,
    accountLinkId,
    owner,
    account,
    origin: bridge.origin,
  };
  return `${step[language]} ${credentialAdvice(credential, language)}`;
}

type LinkRef = Pick<AccountLink, 'provider' | 'accountLinkId'>;

async function ownerOf(
  { client, mayReadLinks }: Bridge,
  { provider, accountLinkId }: LinkRef,
): Promise<string | null | undefined> {
  if (!mayReadLinks) return null;
  const links = await orNull(client.credentials.list({ provider }, LIMIT));
  const link = links?.items.find((one) => one.accountLinkId === accountLinkId);
  return link?.businessName ?? link?.displayLabel;
}

/** Without an id it is the default account of the link. */
async function maskedAccount(
  { client, mayReadLinks }: Bridge,
  { accountLinkId }: LinkRef,
  params: Readonly<Record<string, unknown>> = {},
): Promise<string | null> {
  if (!mayReadLinks) return null;
  const id = params.bank_account_credential_id;
  const accounts = await orNull(client.credentials.bankAccounts.list(accountLinkId, LIMIT));
  const account = accounts?.items.find((one) =>
    typeof id === 'string' ? one.bankAccountCredentialId === id : one.isDefault,
  );
  return account?.maskedAccountNo ?? null;
}

/** Not every key may list links and accounts; the failure itself is told all the same. */
async function orNull<T>(reading: PromiseLike<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (isChangguError(error)) return null;
    throw error;
  }
}
