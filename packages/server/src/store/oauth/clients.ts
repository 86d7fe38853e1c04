import type { Actor } from '../../rules/principals/actor.ts';
import { ServiceError } from '../../rules/service-error.ts';
import { recordAct } from '../transactions/audit.ts';
import { read, write } from '../transactions/script.ts';
import { revokeGrants } from './grants.ts';

export interface OAuthClient {
  readonly clientId: string;
  readonly name: string;
  readonly origin: 'operator' | 'registered';
  readonly mayIntrospect: boolean;
  /** Resource servers only: the resource whose tokens it may introspect. Null: all. */
  readonly resource: string | null;
  readonly createdAt: number;
}

interface NewOAuthClient extends Omit<OAuthClient, 'createdAt'> {
  /** Sealed. */
  readonly metadata: Uint8Array;
  readonly actor: Actor;
}

export const oauthClientScripts = {
  add: write(async (tx, input: NewOAuthClient): Promise<void> => {
    await tx.db
      .insertInto('oauth_clients')
      .values({
        client_id: input.clientId,
        name: input.name,
        origin: input.origin,
        may_introspect: Number(input.mayIntrospect),
        resource: input.resource,
        metadata: input.metadata,
        created_at: await tx.realNow(),
      })
      .execute();
    await recordAct(tx, input.actor, {
      organizationId: null,
      act: 'oauth_client.add',
      target: input.clientId,
      details: { origin: input.origin, may_introspect: input.mayIntrospect },
    });
  }),

  find: read(
    async (
      tx,
      clientId: string,
    ): Promise<
      (Pick<OAuthClient, 'mayIntrospect' | 'resource'> & { readonly metadata: Uint8Array }) | null
    > => {
      const row = await tx.db
        .selectFrom('oauth_clients')
        .select(['metadata', 'may_introspect', 'resource'])
        .where('client_id', '=', clientId)
        .executeTakeFirst();
      return row
        ? {
            metadata: row.metadata,
            mayIntrospect: row.may_introspect === 1,
            resource: row.resource,
          }
        : null;
    },
  ),

  /** The name that an operator gave the resource server at this address; null when none is registered. */
  resourceName: read(async (tx, resource: string): Promise<string | null> => {
    const row = await tx.db
      .selectFrom('oauth_clients')
      .select('name')
      .where('resource', '=', resource)
      .executeTakeFirst();
    return row?.name ?? null;
  }),

  /** Newest first. */
  list: read(async (tx): Promise<OAuthClient[]> => {
    const rows = await tx.db
      .selectFrom('oauth_clients')
      .select(['client_id', 'name', 'origin', 'may_introspect', 'resource', 'created_at'])
      .orderBy('created_at', 'desc')
      .orderBy('client_id', 'desc')
      .execute();
    return rows.map((row) => ({
      clientId: row.client_id,
      name: row.name,
      origin: row.origin,
      mayIntrospect: row.may_introspect === 1,
      resource: row.resource,
      createdAt: row.created_at,
    }));
  }),

  /**
   * Removes a client and everything approved for it. A client known by its metadata document has no row
   * but loses its grants all the same.
   * @throws ServiceError RESOURCE_NOT_FOUND
   */
  remove: write(
    async (
      tx,
      input: { readonly clientId: string; readonly actor: Actor },
    ): Promise<{ readonly grants: number }> => {
      const { clientId, actor } = input;
      const { numDeletedRows } = await tx.db
        .deleteFrom('oauth_clients')
        .where('client_id', '=', clientId)
        .executeTakeFirst();
      const live = await tx.db
        .selectFrom('oauth_grants')
        .select('id')
        .where('client_id', '=', clientId)
        .where('revoked_at', 'is', null)
        .execute();
      if (numDeletedRows === 0n && live.length === 0)
        throw new ServiceError('RESOURCE_NOT_FOUND', { missing: `client ${clientId}` });
      await recordAct(tx, actor, {
        organizationId: null,
        act: 'oauth_client.remove',
        target: clientId,
      });
      for (const { id } of live) await revokeGrants(tx, { grantId: id, actor });
      return { grants: live.length };
    },
  ),
};
