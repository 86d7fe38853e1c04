import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import type { Vault } from '../../crypto/vault.ts';
import { webhookKeysPlace } from '../../store/schema/sealed-places.ts';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';
const PUBLIC_PREFIX = 'whpk_';

/** One generation of an endpoint's keys, as stored. */
export interface WebhookKeys {
  /** Base64. */
  readonly secret: string;
  /** PKCS#8 in base64. */
  readonly privateKey: string;
  /** Real time at which they stop signing; null for the current ones. */
  readonly until: number | null;
}

export function generateWebhookKeys(): WebhookKeys {
  const { privateKey } = generateKeyPairSync('ed25519');
  return {
    secret: randomBytes(SECRET_BYTES).toString('base64'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    until: null,
  };
}

/** In the receiver's form, shown once. */
export function shownSecret({ secret }: WebhookKeys): string {
  return `${SECRET_PREFIX}${secret}`;
}

export function shownPublicKey({ privateKey }: WebhookKeys): string {
  const { x } = createPublicKey(privateKeyOf(privateKey)).export({ format: 'jwk' });
  return `${PUBLIC_PREFIX}${Buffer.from(x ?? '', 'base64url').toString('base64')}`;
}

export interface KeyOwner {
  readonly id: string;
  readonly organizationId: number;
}

export async function sealWebhookKeys(
  vault: Pick<Vault, 'seal'>,
  { id, organizationId }: KeyOwner,
  keys: readonly WebhookKeys[],
): Promise<Uint8Array> {
  const bytes = Buffer.from(JSON.stringify(keys));
  return vault.seal(String(organizationId), webhookKeysPlace(id), bytes);
}

/** The current keys first. @throws SealError */
export async function openWebhookKeys(
  vault: Pick<Vault, 'open'>,
  { id, organizationId }: KeyOwner,
  sealed: Uint8Array,
): Promise<readonly WebhookKeys[]> {
  const bytes = await vault.open(String(organizationId), webhookKeysPlace(id), sealed);
  // Sealed by this service, so nothing else can have written it.
  return JSON.parse(Buffer.from(bytes).toString()) as WebhookKeys[];
}

export interface SignedMessage {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

export type WebhookSigner = (message: SignedMessage) => string;

/**
 * The header `webhook-signature`: one of each kind for every generation in force.
 * @see https://www.standardwebhooks.com
 */
export function createWebhookSigner(
  keys: readonly WebhookKeys[],
  now: () => number,
): WebhookSigner {
  const generations = keys.map(({ secret, privateKey, until }) => ({
    secret: Buffer.from(secret, 'base64'),
    privateKey: privateKeyOf(privateKey),
    until,
  }));
  return ({ id, timestamp, body }) => {
    const content = `${id}.${timestamp}.${body}`;
    return generations
      .filter(({ until }) => until === null || until > now())
      .flatMap(({ secret, privateKey }) => [
        `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
        `v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`,
      ])
      .join(' ');
  };
}

function privateKeyOf(base64: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(base64, 'base64'), type: 'pkcs8', format: 'der' });
}
