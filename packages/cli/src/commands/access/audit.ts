import { AUDIT_ACTS, auditActText } from '@changgu/contract/audit-acts';
import type { AuditEntry, OwnAuditQuery } from '@changgu/sdk';
import type { Cli } from '../../cli.ts';
import { usageError } from '../../cli-error.ts';
import { reads } from '../../command.ts';
import { listFirst, MAX_PAGE_SIZE, pageSizeFor } from '../../output/list-first.ts';
import { fieldsOf, type Shape } from '../../output/shape.ts';
import type { Reader } from '../../reader.ts';
import { didYouMean } from '../../texts/did-you-mean.ts';

const RECORD: Shape = {
  fields: fieldsOf<AuditEntry>()([
    'audit_id',
    'at',
    'act',
    'target',
    'actor_kind',
    'actor_id',
    'address',
    'user_agent',
    'details',
    'organization_id',
    'trace_id',
    'chain_number',
    'chain_hash',
  ]),
  columns: ['at', 'act', 'target', 'actor_id', 'address'],
  elastic: ['actor_id'],
  id: 'audit_id',
  texts: { act: auditActText },
};

export interface FilterOptions {
  readonly act?: string | undefined;
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
}

export const list = reads<[options: FilterOptions & { readonly limit: number }]>(
  RECORD,
  async (cli, { limit, ...filters }) => {
    const records = await recordsOf(cli, filters, pageSizeFor(limit));
    return listFirst(cli, records, RECORD, { limit });
  },
);

/** Every record; on a terminal and in a pipe as JSON lines, too, because details have no columns. */
export const exportAll = reads<[options: FilterOptions]>(RECORD, async (cli, filters) => {
  const output = cli.output.isFormatGiven ? cli.output : cli.output.as('ndjson');
  await output.list(await recordsOf(cli, filters, MAX_PAGE_SIZE), RECORD);
  return undefined;
});

async function recordsOf(
  cli: Cli,
  { act, actor, target, since }: FilterOptions,
  limit: number,
): Promise<AsyncIterable<AuditEntry>> {
  const query: OwnAuditQuery = {
    limit,
    ...(act === undefined ? {} : { act }),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(target === undefined ? {} : { target }),
    ...(since === undefined ? {} : { from: new Date(since).toISOString() }),
  };
  const client = await cli.client('console');
  if (act !== undefined && !Object.hasOwn(AUDIT_ACTS, act)) await checkAct(cli, client, act);
  return client.audit.each(query, cli.call);
}

/** Records of another version may name other acts: of a typo there is none. @throws usage error */
async function checkAct(cli: Cli, { audit }: Reader, act: string): Promise<void> {
  const { items } = await audit.list({ act, limit: 1 }, cli.call);
  if (items.length > 0) return;
  const hints = await didYouMean(act, Object.keys(AUDIT_ACTS), cli.texts);
  throw usageError(cli.texts.input.unknownAct(act), ...hints);
}
