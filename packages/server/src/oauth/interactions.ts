import { OAUTH_SCOPES, type OAuthScope } from '@changgu/contract';
import type { OAuthApproveRequest } from '@changgu/contract/schemas';
import type { Client, Interaction, Provider } from 'oidc-provider';
import { artifactHash } from '../crypto/artifact-hash.ts';
import { newOAuthGrantId } from '../ids.ts';
import { actorOf, type RequestOrigin } from '../rules/principals/actor.ts';
import type { ConsolePrincipal } from '../rules/principals/principal.ts';
import { invalidValue, ServiceError } from '../rules/service-error.ts';
import type { Store } from '../store/database.ts';
import {
  DEFAULT_SCOPES,
  type OAuthAddresses,
  type ResourceName,
  resourceNamed,
} from './addresses.ts';
import { isOfThisBrowser } from './interaction-cookie.ts';
import { PRESELECTED_ENV_SCOPE, preselectedScopes } from './preselection.ts';
import { GRANT_SECONDS } from './provider.ts';
import { redirectHostOf, shownName } from './shown-client.ts';

export interface InteractionDependencies {
  readonly store: Pick<Store, 'oauthArtifacts' | 'oauthClients' | 'oauthGrants'>;
  readonly provider: () => Promise<Provider>;
  readonly addresses: () => OAuthAddresses;
  readonly realNow: () => number;
}

/** The interaction, and the cookies of the browser. */
export interface InteractionRequest {
  readonly uid: string;
  readonly cookies: string | undefined;
}

/** A client's request to a person. */
export interface AskedInteraction {
  readonly clientId: string;
  readonly clientName: string;
  /** Null for a device without a browser. */
  readonly redirectHost: string | null;
  readonly scopes: readonly OAuthScope[];
  /** The resource at which the tokens are valid. */
  readonly resources: readonly AskedResource[];
}

export interface AskedResource {
  readonly address: string;
  /** Ours, or the name that an operator gave another resource server. */
  readonly name: ResourceName | { readonly given: string };
}

interface Decider {
  readonly principal: ConsolePrincipal;
  readonly origin: RequestOrigin;
}

export interface Interactions {
  /** @throws ServiceError RESOURCE_NOT_FOUND: ended, expired, or of another browser; CONFLICT_STATE: decided */
  read(request: InteractionRequest): Promise<AskedInteraction>;
  /** Answers where the browser goes next. @throws ServiceError as `read`, and what `oauthGrants.approve` refuses */
  approve(
    request: InteractionRequest,
    decider: Decider,
    choice: OAuthApproveRequest,
  ): Promise<string>;
  /** Answers where the browser goes next. @throws ServiceError as `read` */
  deny(request: InteractionRequest, decider: Decider): Promise<string>;
}

interface Found {
  readonly provider: Provider;
  readonly interaction: Interaction;
  readonly asked: AskedInteraction;
}

/** People's decisions about clients. */
export function createInteractions(dependencies: InteractionDependencies): Interactions {
  const { store } = dependencies;
  return {
    read: async (request) => (await find(dependencies, request)).asked,

    async approve(request, decider, choice) {
      const { provider, interaction, asked } = await find(dependencies, request);
      const chosen = chosenOf(asked, choice);
      const { id, actor } = await approveGrant(dependencies, asked, decider, chosen);
      if (!(await claim(dependencies, interaction))) {
        await store.oauthGrants.end({ grantId: id, actor });
        throw new ServiceError('CONFLICT_STATE');
      }
      const accountId = String(decider.principal.userId);
      await saveGrant(provider, interaction, { id, accountId, scopes: chosen.scopes });
      nameScopes(interaction, chosen.scopes);
      const login = { accountId, remember: false };
      return decide(dependencies, interaction, { login, consent: { grantId: id } });
    },

    async deny(request, { principal, origin }) {
      const { interaction, asked } = await find(dependencies, request);
      if (!(await claim(dependencies, interaction))) throw new ServiceError('CONFLICT_STATE');
      const { organizationId } = principal;
      const actor = actorOf(principal, origin);
      await store.oauthGrants.recordDenial({ organizationId, clientId: asked.clientId, actor });
      return decide(dependencies, interaction, {
        error: 'access_denied',
        error_description: 'the person denied the request',
      });
    },
  };
}

async function find(
  dependencies: InteractionDependencies,
  { uid, cookies }: InteractionRequest,
): Promise<Found> {
  const { addresses, provider: open } = dependencies;
  if (!isOfThisBrowser(cookies, addresses().issuer, uid)) {
    throw new ServiceError('RESOURCE_NOT_FOUND');
  }
  const provider = await open();
  const interaction = await provider.Interaction.find(uid);
  if (interaction === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
  if (interaction.result !== undefined) throw new ServiceError('CONFLICT_STATE');
  const client = await clientOf(provider, interaction);
  const resources = await resourcesOf(dependencies, interaction);
  return { provider, interaction, asked: { ...askedOf(interaction, client), resources } };
}

function resourcesOf(
  { store, addresses }: InteractionDependencies,
  { params }: Interaction,
): Promise<AskedResource[]> {
  const asked = [params.resource].flat().map(String);
  return Promise.all(
    asked.map(async (address) => {
      const own = resourceNamed(addresses(), address);
      const given = own === undefined ? await store.oauthClients.resourceName(address) : null;
      return { address, name: own ?? { given: given ?? address } };
    }),
  );
}

/** Of two concurrent decisions, only one takes effect. */
function claim({ store }: InteractionDependencies, { uid }: Interaction): Promise<boolean> {
  return store.oauthArtifacts.consume({ kind: 'Interaction', idHash: artifactHash(uid) });
}

async function approveGrant(
  { store, realNow }: InteractionDependencies,
  asked: AskedInteraction,
  { principal, origin }: Decider,
  choice: Required<OAuthApproveRequest>,
) {
  const actor = actorOf(principal, origin);
  const { id } = await store.oauthGrants.approve({
    id: newOAuthGrantId(),
    organizationId: choice.organization_id,
    userId: principal.userId,
    ...asked,
    scopes: choice.scopes,
    envScopes: choice.env_scopes,
    allowedActions: choice.allowed_actions,
    expiresAt: realNow() + GRANT_SECONDS * 1_000,
    actor,
  });
  return { id, actor };
}

/** Returns where the browser goes next. */
async function decide(
  { realNow }: InteractionDependencies,
  interaction: Interaction,
  result: Interaction['result'],
): Promise<string> {
  interaction.result = result;
  // The library compares it with the person in the browser's session, and here there is none.
  interaction.session = undefined;
  await interaction.save(interaction.exp - Math.floor(realNow() / 1_000));
  return interaction.returnTo;
}

/** @throws ServiceError RESOURCE_NOT_FOUND when the client has been removed in the meantime */
async function clientOf(provider: Provider, { params }: Interaction): Promise<Client> {
  const client = await provider.Client.find(String(params.client_id)).catch(() => undefined);
  if (client === undefined) throw new ServiceError('RESOURCE_NOT_FOUND');
  return client;
}

function askedOf({ params }: Interaction, client: Client): Omit<AskedInteraction, 'resources'> {
  const { redirect_uri: redirectUri } = params;
  const sent = sentScopes(params);
  const scopes = OAUTH_SCOPES.filter((each) => sent.includes(each));
  return {
    clientId: client.clientId,
    clientName: shownName(client),
    redirectHost: redirectHostOf(redirectUri),
    scopes: scopes.length === 0 ? DEFAULT_SCOPES : scopes,
  };
}

function sentScopes({ scope }: Interaction['params']): string[] {
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/** The library grants nothing that the request does not name, but a request without our scopes asks for the usual ones. */
function nameScopes({ params }: Interaction, approved: readonly OAuthScope[]): void {
  params.scope = [...new Set([...sentScopes(params), ...approved])].join(' ');
}

/** Never more than was requested, and what the page preselects where nothing is chosen. */
function chosenOf(
  { scopes: asked }: AskedInteraction,
  choice: OAuthApproveRequest,
): Required<OAuthApproveRequest> {
  const { scopes = preselectedScopes(asked), env_scopes = [PRESELECTED_ENV_SCOPE] } = choice;
  if (scopes.length === 0) throw wrongScopes('Field required', 'missing');
  if (!scopes.every((scope) => asked.includes(scope))) {
    throw wrongScopes('The client did not ask for this', 'value_error');
  }
  return { ...choice, scopes, env_scopes, allowed_actions: choice.allowed_actions ?? null };
}

function wrongScopes(msg: string, type: 'missing' | 'value_error'): ServiceError {
  return invalidValue([{ loc: ['body', 'scopes'], msg, type }]);
}

async function saveGrant(
  provider: Provider,
  { params }: Interaction,
  approved: {
    readonly id: string;
    readonly accountId: string;
    readonly scopes: readonly OAuthScope[];
  },
): Promise<void> {
  const { id, accountId, scopes } = approved;
  const properties = { accountId, clientId: String(params.client_id), jti: id };
  const grant = new provider.Grant(properties);
  for (const resource of [params.resource].flat()) {
    grant.addResourceScope(String(resource), scopes.join(' '));
  }
  await grant.save();
}
