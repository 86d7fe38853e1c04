import type { CatalogueAction } from '@changgu/sdk/catalogue';
import type { WritingCli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { askIrreversible } from '../../input/ask-irreversible.ts';
import { findAction } from '../../input/find-action.ts';
import { InputReader } from '../../input/read-input.ts';
import { type ParamOptions, readParams } from '../../input/read-params.ts';
import type { Batch } from '../../journal/entry.ts';

export interface RequestOptions extends ParamOptions {
  readonly link?: string | undefined;
  readonly accounts?: string[] | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly sandboxOutcome?: string | undefined;
}

/** The request of a run, typed and checked by the catalog. */
export async function readRequest(
  cli: WritingCli,
  id: string,
  options: RequestOptions,
): Promise<Batch> {
  const { io, texts } = cli;
  const action = options.check ? await findAction(cli, id) : null;
  if (action && !action.selectsAccount) throw usageError(texts.bulk.selectsNoAccount(id));
  const params = await readParams(
    action && withoutAccount(action),
    options,
    new InputReader(io, texts),
    texts,
  );
  const { link, accounts, idempotencyKey, sandboxOutcome } = options;
  const target = async () => ({ accountLinkId: link, accounts: accounts ?? ('all' as const) });
  await askIrreversible(cli, { id, action, params, target });
  return {
    action: id,
    params,
    ...(link === undefined ? {} : { accountLinkId: link }),
    ...(accounts === undefined ? {} : { bankAccountCredentialIds: accounts }),
    ...(sandboxOutcome === undefined ? {} : { sandboxOutcome }),
    batchKey: idempotencyKey ?? crypto.randomUUID(),
  };
}

/** The run iterates over the accounts, so the account is not one of its params. */
function withoutAccount(action: CatalogueAction): CatalogueAction {
  const { bank_account_credential_id: _, ...properties } = action.params.properties;
  return { ...action, params: { ...action.params, properties } };
}
