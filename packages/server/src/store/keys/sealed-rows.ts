import { sql } from 'kysely';
import { SYSTEM_SCOPE } from '../../crypto/organization-key.ts';
import { scopeOfRing } from '../../crypto/ring-name.ts';
import type { SealedRow, SealedRowStore } from '../../crypto/rotation/rotate-data-keys.ts';
import { read, write } from '../transactions/script.ts';

interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns that identify and order a row. */
  readonly key: readonly string[];
  /** Whose key seals it, the row's name in its place, and where a place is named otherwise: as SQL. */
  readonly scope: string;
  readonly row: string;
  readonly placeTable?: string;
  /** Where the scope is only a part of what SQL gives. */
  readonly toScope?: (text: string) => string;
  /** The size of the whole file, whose chunks the last part of the key counts: as SQL. */
  readonly fileSize?: string;
}

const OF_ORGANIZATION = 'cast(organization_id as text)';
const OF_SYSTEM = `'${SYSTEM_SCOPE}'`;
const OF_ARTIFACT = (column: string) =>
  `(select ${column} from artifacts where artifacts.id = artifact_chunks.artifact_id)`;

/** Every column that holds sealed values; a test detects missing ones. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'jobs', column: 'encrypted_fields', key: ['id'], scope: OF_ORGANIZATION, row: 'id' },
  { table: 'jobs', column: 'result', key: ['id'], scope: OF_ORGANIZATION, row: 'id' },
  {
    table: 'artifact_chunks',
    column: 'bytes',
    key: ['artifact_id', 'number'],
    scope: `cast(${OF_ARTIFACT('organization_id')} as text)`,
    row: 'artifact_id',
    fileSize: OF_ARTIFACT('size_bytes'),
  },
  { table: 'account_links', column: 'credential', key: ['id'], scope: OF_ORGANIZATION, row: 'id' },
  { table: 'bank_accounts', column: 'credential', key: ['id'], scope: OF_ORGANIZATION, row: 'id' },
  {
    table: 'portal_sessions',
    column: 'state',
    key: ['account_link_id', 'env_scope'],
    scope: OF_ORGANIZATION,
    row: "account_link_id || ':' || env_scope",
  },
  {
    table: 'payment_methods',
    column: 'billing_key',
    key: ['id'],
    scope: OF_ORGANIZATION,
    row: 'customer_key',
  },
  {
    table: 'organization_keys',
    column: 'identity_key',
    key: ['scope'],
    scope: 'scope',
    row: 'scope',
  },
  {
    table: 'ring_keys',
    column: 'private_key',
    key: ['ring', 'kid'],
    scope: 'ring',
    toScope: scopeOfRing,
    row: 'kid',
    placeTable: 'ring',
  },
  { table: 'factors', column: 'secret', key: ['id'], scope: OF_SYSTEM, row: 'id' },
  { table: 'mail_outbox', column: 'letter', key: ['id'], scope: OF_SYSTEM, row: 'id' },
  { table: 'webhooks', column: 'keys', key: ['id'], scope: OF_ORGANIZATION, row: 'id' },
  {
    table: 'oauth_clients',
    column: 'metadata',
    key: ['client_id'],
    scope: OF_SYSTEM,
    row: 'client_id',
  },
  {
    table: 'oauth_artifacts',
    column: 'payload',
    key: ['kind', 'id_hash'],
    scope: OF_SYSTEM,
    row: "kind || ':' || id_hash",
  },
  {
    table: 'sign_in_attempts',
    column: 'payload',
    key: ['id_hash'],
    scope: OF_SYSTEM,
    row: 'id_hash',
  },
  {
    table: 'vouched_sessions',
    column: 'tokens',
    key: ['session_id'],
    scope: OF_SYSTEM,
    row: 'session_id',
  },
];

interface ReadRow {
  readonly key0: string | number;
  readonly key1: string | number | null;
  readonly scope: string | null;
  readonly place_table: string;
  readonly row: string;
  readonly size: number | null;
  readonly sealed: Uint8Array;
}

/** All sealed values, page by page, for sealing them with another key. */
export const sealedRowScripts = {
  page: read(async (tx, from: Parameters<SealedRowStore['page']>[0]) => {
    const of = SEALED_COLUMNS[from.kind];
    if (of === undefined) return null;
    const keys = sql.raw(of.key.join(', '));
    const later = from.after ? sql`and (${keys}) > (${sql.join(from.after)})` : sql``;
    const { rows } = await sql<ReadRow>`
      select ${sql.raw(of.key[0] ?? '')} as key0, ${sql.raw(of.key[1] ?? 'null')} as key1,
        ${sql.raw(of.scope)} as scope, ${sql.raw(of.placeTable ?? `'${of.table}'`)} as place_table,
        ${sql.raw(of.row)} as "row", ${sql.raw(of.fileSize ?? 'null')} as size,
        ${sql.raw(of.column)} as sealed
      from ${sql.raw(of.table)} where ${sql.raw(of.column)} is not null ${later}
      order by ${keys} limit ${from.limit}`.execute(tx.db);
    return { name: `${of.table}.${of.column}`, rows: rows.map((row) => toSealedRow(of, row)) };
  }),

  replace: write(async (tx, input: Parameters<SealedRowStore['replace']>[0]): Promise<void> => {
    const of = SEALED_COLUMNS[input.kind];
    if (of === undefined) return;
    const [keys, column] = [sql.raw(of.key.join(', ')), sql.raw(of.column)];
    for (const { key, from, to } of input.changes) {
      await sql`update ${sql.raw(of.table)} set ${column} = ${to}
        where (${keys}) = (${sql.join(key)}) and ${column} = ${from}`.execute(tx.db);
    }
  }),
};

function toSealedRow(of: SealedColumn, row: ReadRow): SealedRow {
  const { key0, key1, size } = row;
  const scope = row.scope ?? SYSTEM_SCOPE;
  return {
    key: key1 === null ? [key0] : [key0, key1],
    scope: of.toScope?.(scope) ?? scope,
    place: { table: row.place_table, column: of.column, row: row.row },
    ...(size === null ? {} : { chunk: { index: Number(key1), size: Number(size) } }),
    sealed: row.sealed,
  };
}
