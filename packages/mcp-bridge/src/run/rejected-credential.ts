import { isChangguError, type Job } from '@changgu/sdk';
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
  const [links, account] = await Promise.all([
    orNull(bridge.client.credentials.list({ provider }, LIMIT)),
    known.maskedAccountNo ??
      maskedAccount(bridge, accountLinkId, submitted?.params.bank_account_credential_id),
  ]);
  const { institutions } = bridge.offering.now;
  const link = links?.items.find((one) => one.accountLinkId === accountLinkId);
  const { language } = bridge.settings;
  const credential = {
    institution: institutions.find((one) => one.provider === provider)?.title ?? provider,
    accountLinkId,
    owner: link?.businessName ?? link?.displayLabel,
    account,
    origin: bridge.origin,
  };
  return `${step[language]} ${credentialAdvice(credential, language)}`;
}

/** Without an id it is the default account of the link. */
async function maskedAccount(
  { client }: Bridge,
  accountLinkId: string,
  id: unknown,
): Promise<string | null> {
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
