import { ApiError, type SubmitRequest } from '@changgu/sdk';
import type { CatalogueAction } from '@changgu/sdk/catalogue';
import type { WritingCli } from '../../cli.ts';
import { askIrreversible } from '../../input/ask-irreversible.ts';
import { PendingSubmissions } from './pending.ts';

/**
 * Asks before an action that cannot be undone.
 * @returns with the link that the person was told of: another may be the primary one by the time of the answer
 */
export async function agree(
  cli: WritingCli,
  request: SubmitRequest,
  known: CatalogueAction | null,
): Promise<SubmitRequest> {
  let { accountLinkId } = request;
  const { action: id, params = {} } = request;
  const target = async () => {
    const earlier = await linkOfEarlier(cli, request);
    accountLinkId ??= earlier ?? undefined;
    // The service replays it even if the link can no longer be chosen.
    if (earlier && accountLinkId === earlier) return { accountLinkId };
    const client = await cli.client();
    // Under the caller's key, a check with other ciphertext would be another request.
    const check = { ...request, idempotencyKey: undefined };
    const { accountLinkId: chosen } = await client.jobs.validate(check, cli.call);
    const told = chosen ?? accountLinkId;
    if (earlier === null) accountLinkId = told;
    return { accountLinkId: told };
  };
  await askIrreversible(cli, { id, action: known, params, target });
  return { ...request, accountLinkId };
}

/**
 * With another link than the first time, a command that is repeated under its key would be another request.
 * @returns null without a job under the key, undefined where it was sent without a link
 */
async function linkOfEarlier(
  cli: WritingCli,
  { action, idempotencyKey }: SubmitRequest,
): Promise<string | null | undefined> {
  if (idempotencyKey === undefined) return null;
  const { jobs } = await cli.client();
  try {
    const { items } = await jobs.list({ idempotencyKey, limit: 1 }, cli.call);
    const [job] = items;
    if (job?.action !== action) return null;
    const kept = await (await PendingSubmissions.of(cli)).read(idempotencyKey);
    if (kept === null) return (await jobs.request(job.jobId, cli.call)).accountLinkId ?? undefined;
    const sent: { readonly account_link_id?: string | null } = JSON.parse(kept.submission.body);
    return sent.account_link_id ?? undefined;
  } catch (error) {
    // Some keys may submit but not read.
    if (error instanceof ApiError) return null;
    throw error;
  }
}
