import { randomBytes } from 'node:crypto';
import { SYSTEM_SCOPE, type Vault } from '../crypto/vault.ts';
import { newOAuthClientId } from '../ids.ts';
import type { Actor } from '../rules/principals/actor.ts';
import { invalidValue, type ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import { oauthClientPlace } from '../store/schema/sealed-places.ts';
import { applicationTypeOf } from './application-type.ts';
import { isOwnMachine, isSafeRedirect, SAFE_REDIRECTS } from './redirect-uris.ts';

interface ClientDependencies {
  readonly store: Pick<Store, 'oauthClients'>;
  readonly vault: Pick<Vault, 'seal'>;
}

export interface ClientOrder {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Has a secret: a program on a server, not on people's machines. */
  readonly isConfidential: boolean;
  /** A resource server, which may introspect tokens and gets none. */
  readonly mayIntrospect: boolean;
  /** Its address, for which clients request tokens. */
  readonly resource: string | null;
  /** For machines without a browser. */
  readonly device: boolean;
}

export interface AddedClient {
  readonly client_id: string;
  /** Shown only in this answer. */
  readonly client_secret: string | null;
}

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** Registers a client for an operator. @throws ServiceError 400 for an unsafe redirect URI or resource */
export async function addClient(
  { store, vault }: ClientDependencies,
  order: ClientOrder,
  actor: Actor,
): Promise<AddedClient> {
  const { redirectUris } = order;
  redirectUris.forEach(assertRedirectUri);
  const type = typeOf(redirectUris);
  if (order.resource !== null) assertResource(order.resource);
  const clientId = newOAuthClientId();
  const hasSecret = order.isConfidential || order.mayIntrospect;
  const secret = hasSecret ? randomBytes(32).toString('base64url') : null;
  const metadata = {
    client_id: clientId,
    client_name: order.name,
    application_type: type,
    redirect_uris: redirectUris,
    ...grantsOf(order),
    ...(secret === null
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret }),
  };
  const place = oauthClientPlace(clientId);
  await store.oauthClients.add({
    clientId,
    name: order.name,
    origin: 'operator',
    mayIntrospect: order.mayIntrospect,
    resource: order.resource,
    metadata: await vault.seal(SYSTEM_SCOPE, place, Buffer.from(JSON.stringify(metadata))),
    actor,
  });
  return { client_id: clientId, client_secret: secret };
}

function grantsOf({ redirectUris, device }: ClientOrder) {
  const byCode = redirectUris.length > 0;
  const types = [...(byCode ? ['authorization_code'] : []), ...(device ? [DEVICE_GRANT] : [])];
  return {
    grant_types: types.length === 0 ? [] : [...types, 'refresh_token'],
    response_types: byCode ? ['code'] : [],
  };
}

/** @throws ServiceError */
function typeOf(redirectUris: readonly string[]): 'web' | 'native' {
  const type = applicationTypeOf(redirectUris);
  if (type !== null) return type;
  throw unsafeRedirect(
    'https on loopback goes with other https addresses only: register another client for the rest',
  );
}

function assertRedirectUri(address: string): void {
  if (isSafeRedirect(address) && !address.includes('#')) return;
  throw unsafeRedirect(`Redirect URIs should be ${SAFE_REDIRECTS}, without a fragment`);
}

function unsafeRedirect(msg: string): ServiceError {
  return invalidValue([{ loc: ['redirect_uri'], msg, type: 'value_error' }]);
}

/** As RFC 8707 requires, and only over connections that cannot be intercepted. */
function assertResource(address: string): void {
  if (URL.canParse(address)) {
    const { protocol, hostname, hash, search } = new URL(address);
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isOwnMachine(hostname));
    if (isSafe && hash === '' && search === '') return;
  }
  throw invalidValue([
    {
      loc: ['resource'],
      msg: 'A resource is an https address, or http of localhost, 127.0.0.1 or [::1], without query and fragment',
      type: 'value_error',
    },
  ]);
}
